import { expect, test } from 'vitest';
import { systemContext } from '../../src/base/change-context.ts';
import { newId } from '../../src/base/ids.ts';
import { makeChange } from '../../src/domain/events/change.ts';
import { inviteOperator } from '../../src/domain/operators/operators.ts';
import { claimFirstOwnership, createSetupToken } from '../../src/domain/operators/setup-token.ts';
import { operatorSessions } from '../../src/domain/sessions/session.ts';
import { ensureOperatorTenant } from '../../src/domain/sites/operator-tenant.ts';
import { createSite } from '../../src/domain/sites/sites.ts';
import { emailComposer } from '../../src/pages/emails/email-composer.ts';
import type { Database, Transaction } from '../../src/storage/database.ts';
import { migrate } from '../../src/storage/migrations/migrations.ts';
import { openDatabase } from '../../src/storage/open.ts';
import { changing } from '../change.ts';
import { effort } from '../effort.ts';
import { forEachStoreVersion, stopInTheEnd } from '../stores.ts';
import { noEmailLimits } from '../test-server.ts';

const emails = { composer: emailComposer, limits: noEmailLimits };

const browser = {
  userAgent: null,
  ipAddress: null,
  lifetime: operatorSessions(12, 30),
  language: 'en',
  loginToken: null,
  sessionToken: null,
  deviceCookie: null,
  form: null,
};
const changeContext = systemContext(new Date().toISOString());

forEachStoreVersion((store) => {
  // SQLite has one writer, so its statements are not interleaved.
  const raceTest = test.skipIf(store.dialect === 'sqlite');

  raceTest('two processes that start while the first owner logs in allow no second owner', async () => {
    const { one, other, tenant } = await installation();
    const first = await one.transaction((tx) => createSetupToken(tx, changeContext.at));
    const pause = gate();
    const start = other.transaction((tx) =>
      createSetupToken(before(tx, 'INTO setup_tokens', pause), changeContext.at),
    );
    await pause.reached;
    const accept = (token: string, email: string) =>
      changing(one, tenant.id, (change) =>
        claimFirstOwnership(change, token, { email, displayName: null }, browser, emailComposer),
      );
    const owner = accept(first!, 'owner@example.com');
    await Promise.race([owner, new Promise((resolve) => setTimeout(resolve, 200))]);
    pause.open();
    const second = await start;
    const outcomes = [await owner, await accept(second ?? '', 'other@example.com')];
    expect(outcomes.filter(({ outcome }) => outcome === 'logged_in')).toHaveLength(1);
  });

  raceTest('of the setup links of two processes, used at the same time, one makes an owner', async () => {
    for (let round = 0; round < effort.raceRounds; round += 1) {
      const { one, other, tenant } = await installation();
      const databases = [one, other];
      const tokens = await Promise.all(
        databases.map((database) => database.transaction((tx) => createSetupToken(tx, changeContext.at))),
      );
      const outcomes = await Promise.all(
        databases.map((database, index) =>
          changing(database, tenant.id, (change) => {
            const person = { email: `owner-${index}@example.com`, displayName: null };
            return claimFirstOwnership(change, tokens[index] ?? '', person, browser, emailComposer);
          }),
        ),
      );
      expect(outcomes.filter(({ outcome }) => outcome === 'logged_in')).toHaveLength(1);
    }
  });

  raceTest('the first owner and an invitation do not wait for each other', async () => {
    const { one, other, tenant, site } = await installation();
    const token = await one.transaction((tx) => createSetupToken(tx, changeContext.at));
    await other.transaction((tx) => createSetupToken(tx, changeContext.at));
    let attempts = 0;
    const pause = gate();
    const invitation = other.transaction((tx) => {
      attempts += 1;
      const input = { email: 'invited@example.com', role: 'viewer' } as const;
      return makeChange(
        { db: before(tx, 'INTO operator_roles', pause), siteId: site.id },
        changeContext,
        (change) => inviteOperator(change, tenant, input, emails),
      );
    });
    await pause.reached;
    const owner = changing(one, tenant.id, (change) => {
      attempts += 1;
      const person = { email: 'owner@example.com', displayName: null };
      return claimFirstOwnership(change, token!, person, browser, emailComposer);
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    pause.open();
    await invitation;
    expect((await owner).outcome).toBe('expired');
    expect(attempts).toBe(2);
  });

  async function installation() {
    const url = await store.freshUrl();
    const [one, other] = [openDatabase(url), openDatabase(url)] as [Database, Database];
    stopInTheEnd(async () => void (await Promise.all([one.close(), other.close()])));
    await migrate(one);
    const tenant = await ensureOperatorTenant(one, 'http://localhost');
    const site = await changing(one, newId(), (change) =>
      createSite(change, { slug: 'main', title: 'Main' }),
    );
    return { one, other, tenant, site };
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
