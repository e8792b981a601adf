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

/**
 * A clock whose hour does not end while the tests of a file run: emails are counted by the hour. It is ahead by no more
 * than a few minutes, as on SQLite links go by the true time.
 */
export function clockWithinTheHour() {
  const clock = movableClock();
  const left = hour - (Date.now() % hour);
  if (left < 5 * 60_000) clock.advance(left);
  return clock;
}

export const hour = 3_600_000;
export const day = 24 * hour;
