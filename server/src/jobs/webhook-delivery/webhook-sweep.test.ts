import sql from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { changing } from '../../../test/change.ts';
import { type Recording, recordStatements } from '../../../test/contract/recorded-statements.ts';
import { movableTime } from '../../../test/movable-time.ts';
import { secretKey } from '../../../test/secret-key.ts';
import { forEachStore, type Store } from '../../../test/stores.ts';
import { testWorkspaces } from '../../../test/workspace-settings.ts';
import { SecretBox } from '../../base/encryption/secret-box.ts';
import { newId } from '../../base/ids.ts';
import { createSite } from '../../domain/sites/sites.ts';
import { createWebhook } from '../../domain/webhooks/webhooks.ts';
import { emailComposer } from '../../pages/emails/email-composer.ts';
import { openDatabase } from '../../storage/open.ts';
import { JobRunner } from '../runner.ts';
import { WebhookDelivery } from './webhook-delivery.ts';

const secrets = new SecretBox([secretKey]);
const second = 1_000;

forEachStore((store) => {
  test('without webhooks the store is read once, and then a few times a minute', async () => {
    const { pass, reads, addWebhook } = await start(store);
    await pass(300);
    expect(reads('webhooks')).toBe(1);
    await addWebhook();
    await pass(15);
    const before = reads('webhooks w');
    expect(before).toBeGreaterThan(0);
    await pass(60);
    expect(reads('webhooks w') - before).toBe(4);
  });

  test('what is due later is begun at its time, and not at the next look', async () => {
    const { pass, advance, claims, addWebhook, database, clock } = await start(store);
    const { siteId, webhookId } = await addWebhook();
    await pass(15);
    const due = new Date(clock().getTime() + 106.5 * second).toISOString();
    await database.run(sql`
      UPDATE webhooks SET due_at = ${due}, follows_feed = ${false} WHERE site_id = ${siteId} AND id = ${webhookId}`);
    await pass(106);
    expect(claims()).toBe(0);
    advance(second);
    await expect.poll(claims).toBe(1);
  });
});

/** A process that delivers to webhooks, and does nothing else, with a time of its own. */
async function start(store: Store) {
  const url = await store.migratedUrl();
  const database = openDatabase(url, { listen: true });
  const other = openDatabase(url);
  const recording: Recording = [];
  const time = movableTime();
  const { clock, timers, advance } = time;
  const delivery = new WebhookDelivery({
    database: recordStatements(database, recording),
    clock,
    timers,
    secrets,
    composer: emailComposer,
    random: Math.random,
    send: () => new Promise(() => {}),
  });
  const runner = new JobRunner([delivery], {
    database,
    clock,
    timers,
    onError: (_, error) => expect.fail(String(error)),
  });
  onTestFinished(async () => {
    let isStopped = false;
    runner.stop().finally(() => {
      isStopped = true;
    });
    while (!isStopped) {
      await new Promise(setImmediate);
      advance(second);
    }
    await Promise.all([database.close(), other.close()]);
  });
  // The connection for signals is open, so that their number stays the same.
  await database.get(sql`SELECT 1 AS one`);
  const isSteady = () => new Set([database.signals(), database.signals()]).size === 1;
  await expect.poll(isSteady).toBe(true);
  runner.start();
  /** Lets seconds pass, one after another. */
  const pass = async (seconds: number) => {
    for (let passed = 0; passed < seconds; passed += 1) {
      await runner.idle();
      advance(second);
    }
    await runner.idle();
  };
  const texts = () => recording.flat().map(({ text }) => text.replaceAll(/\s+/g, ' '));
  const count = (part: string) => texts().filter((text) => text.includes(part)).length;
  return {
    database: other,
    clock,
    advance,
    pass,
    reads: (table: string) => count(`FROM ${table} `),
    claims: () => count('UPDATE webhooks SET holder'),
    addWebhook: async () => {
      const siteId = newId();
      const before = database.signals();
      const { id: webhookId } = await changing(other, siteId, async (change) => {
        await createSite(change, { slug: `site-${siteId}` });
        const input = { url: 'https://example.com/hook', eventTypes: ['member.created' as const] };
        return createWebhook(change, input, { secrets, outgoing: testWorkspaces.outgoing });
      });
      // Its own creation is not to be sent.
      await other.run(sql`
        UPDATE webhooks SET position = (SELECT position FROM event_heads WHERE site_id = ${siteId})
        WHERE site_id = ${siteId}`);
      await expect.poll(() => database.signals()).not.toBe(before);
      return { siteId, webhookId };
    },
  };
}
