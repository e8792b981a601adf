import { expect, test } from 'vitest';
import { systemCause } from '../../src/base/cause.ts';
import { inviteOperator } from '../../src/operators/operators.ts';
import { keepOperatorsRealm } from '../../src/operators/operators-realm.ts';
import { acceptWelcome, renewWelcome } from '../../src/operators/welcome.ts';
import { createSite } from '../../src/sites/sites.ts';
import type { Database, Transaction } from '../../src/storage/database.ts';
import { migrate } from '../../src/storage/migrations.ts';
import { openDatabase } from '../../src/storage/open.ts';
import { forEachStore, stopInTheEnd } from '../stores.ts';
import { noEmailLimits } from '../test-server.ts';

const browser = { userAgent: null, clientAddress: null, sessionToken: null, deviceCookie: null };
const cause = systemCause(new Date().toISOString());

forEachStore((store) => {
  // SQLite has one writer: nothing comes between its statements.
  const raceTest = test.skipIf(store.dialect === 'sqlite');

  raceTest('two processes that start while the first owner comes in let in nobody else', async () => {
    const { one, other, realm } = await installation();
    const first = await one.transaction((tx) => renewWelcome(tx, cause.at));
    const pause = gate();
    const start = other.transaction((tx) => renewWelcome(before(tx, 'INTO welcome_tokens', pause), cause.at));
    await pause.reached;
    const accept = (token: string, email: string) =>
      one.transaction((tx) =>
        acceptWelcome(tx, realm.id, token, { email, displayName: null }, browser, cause),
      );
    const owner = accept(first!, 'owner@example.com');
    await Promise.race([owner, new Promise((resolve) => setTimeout(resolve, 200))]);
    pause.open();
    const second = await start;
    const outcomes = [await owner, await accept(second ?? '', 'other@example.com')];
    expect(outcomes.filter(({ outcome }) => outcome === 'in')).toHaveLength(1);
  });

  raceTest('the first owner and an invitation do not wait for each other', async () => {
    const { one, other, realm, site } = await installation();
    const token = await one.transaction((tx) => renewWelcome(tx, cause.at));
    let attempts = 0;
    const pause = gate();
    const invitation = other.transaction((tx) => {
      attempts += 1;
      const input = { email: 'invited@example.com', role: 'viewer' } as const;
      return inviteOperator(
        before(tx, 'INTO operator_roles', pause),
        realm,
        site.id,
        input,
        cause,
        noEmailLimits,
      );
    });
    await pause.reached;
    const owner = one.transaction((tx) => {
      attempts += 1;
      const person = { email: 'owner@example.com', displayName: null };
      return acceptWelcome(tx, realm.id, token!, person, browser, cause);
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    pause.open();
    await invitation;
    expect((await owner).outcome).toBe('dead');
    expect(attempts).toBe(2);
  });

  async function installation() {
    const url = await store.freshUrl();
    const [one, other] = [openDatabase(url), openDatabase(url)] as [Database, Database];
    stopInTheEnd(async () => void (await Promise.all([one.close(), other.close()])));
    await migrate(one);
    const realm = await keepOperatorsRealm(one, 'http://localhost');
    const site = await one.transaction((tx) =>
      createSite(tx, { slug: 'main', title: 'Main' }, systemCause(new Date().toISOString())),
    );
    return { one, other, realm, site };
  }
});

/** A transaction that waits before the first statement of a kind. */
function before(tx: Transaction, words: string, { reach, opened }: ReturnType<typeof gate>): Transaction {
  return {
    ...tx,
    run: async (statement) => {
      if (statement.sql.includes(words)) {
        reach();
        await opened;
      }
      return tx.run(statement);
    },
  };
}

function gate() {
  const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  return {
    reached: reached.promise,
    reach: reached.resolve,
    opened: opened.promise,
    open: opened.resolve,
  };
}
