import { afterAll, beforeAll } from 'vitest';
import type { Store } from '../stores.ts';
import {
  sharedTestServer,
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from '../test-server.ts';

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

/**
 * A clock whose hour does not end while the tests of a file run, because emails are counted by the hour. It is at
 * most a few minutes ahead, because on SQLite links use the real time.
 */
export function clockWithinTheHour() {
  const clock = movableClock();
  const left = hour - (Date.now() % hour);
  if (left < 5 * 60_000) clock.advance(left);
  return clock;
}

export const hour = 3_600_000;
export const day = 24 * hour;
