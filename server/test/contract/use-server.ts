import { afterAll, beforeAll } from 'vitest';
import type { Store } from '../stores.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../test-server.ts';

/** A server for the tests of a file on one store: it is there while they run and stopped after them. */
export function useTestServer(store: Store, options: TestServerOptions = {}): TestServer {
  let started: TestServer | undefined;
  beforeAll(async () => {
    started = await startTestServer(store, options);
  });
  afterAll(() => started?.stop());
  return new Proxy({} as TestServer, { get: (_, name) => Reflect.get(started!, name) });
}

/** A clock that tests can set forward. */
export function movableClock() {
  let offset = 0;
  const clock = () => new Date(Date.now() + offset);
  return Object.assign(clock, {
    advance(milliseconds: number) {
      offset += milliseconds;
    },
  });
}

export const hour = 3_600_000;
export const day = 24 * hour;
