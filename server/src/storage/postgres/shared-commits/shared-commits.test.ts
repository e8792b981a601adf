import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../errors.ts';
import type { PostgresConnection } from '../connections/postgres-connection.ts';
import { SharedCommits } from './shared-commits.ts';

/** Three pieces of work, of which the last two share a transaction on a connection that fails to commit. */
async function shareWith(commitError: Error) {
  let runs = 0;
  const connection = {
    query: async (text: string) => {
      if (text === 'COMMIT') throw commitError;
      return { rows: [], command: text, count: 0 };
    },
    lose: () => {},
  } as unknown as PostgresConnection;
  const shared = new SharedCommits({
    queryFor: () => async () => ({ rows: [], count: 0, command: 'SELECT' }),
    open: () => ({}) as never,
    waitMilliseconds: 2_000,
    withConnection: (use) => use(connection),
    runAlone: (work) => work.run({} as never),
  });
  const work = {
    run: async () => {
      runs += 1;
      return 'done';
    },
    isOver: () => false,
  };
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => shared.transaction('site', work)));
  return { outcomes, runs };
}

test.each(['ECONNRESET', 'ENETDOWN', 'EPROTO', 'ERR_SSL_BAD_RECORD', 'XX000', '40003', '57014', undefined])(
  'after the error %s of a commit, which may have happened, no work runs again',
  async (code) => {
    const { outcomes, runs } = await shareWith(Object.assign(new Error('failed'), code && { code }));
    expect(runs).toBe(3);
    expect(outcomes[0]).toEqual({ status: 'fulfilled', value: 'done' });
    for (const outcome of outcomes.slice(1)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) });
    }
  },
);
