import { afterAll, beforeAll } from 'vitest';
import type { Store } from './stores.ts';
import { sharedTestServer, startTestServer, type TestServer, type TestServerOptions } from './test-server.ts';

/**
 * A server for the tests of a file on one store. Without options the files of this process share it, on a database
 * with sites of other files; with options it has its own database, and is stopped after the tests.
 */
export function useTestServer(store: Store, options?: TestServerOptions): TestServer {
  let started: TestServer | undefined;
  beforeAll(async () => {
    started = await (options ? startTestServer(store, options) : sharedTestServer(store));
  });
  afterAll(async () => {
    if (options) await started?.stop();
  });
  return new Proxy({} as TestServer, { get: (_, name) => Reflect.get(started!, name) });
}
