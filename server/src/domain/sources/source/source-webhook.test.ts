import { createHmac, randomUUID } from 'node:crypto';
import type { Source } from '@gatehouse/contract';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { expectResponse } from '../../../../test/contract/answers.ts';
import { scopeGroups, synchronize } from '../../../../test/source-steps.ts';
import { forEachStore } from '../../../../test/stores.ts';
import type { TestSite } from '../../../../test/test-server.ts';
import { useNotion } from '../../../../test/use-notion.ts';
import { newSecretKey, SecretBox } from '../../../base/encryption/secret-box.ts';
import { placeOfSecret } from './source.ts';

const verification = JSON.stringify({ verification_token: 'secret_of_notion' });
const changed = JSON.stringify({ id: randomUUID(), type: 'page.properties_updated' });
const signedWith = (key: string, body: string) =>
  `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;

const logged: string[] = [];

forEachStore((store) => {
  const { server, notion, aSource } = useNotion(store, { log: (line) => logged.push(line) });

  async function webhookOf(site: TestSite, { id }: Source) {
    return expectResponse('getSourceWebhook', await site.get(`/sources/${id}/webhook`), 200).data;
  }

  /** Asks for a token of Notion. */
  async function connect(site: TestSite, { id }: Source): Promise<void> {
    expectResponse('resetSourceWebhook', await site.delete(`/sources/${id}/webhook`), 204);
  }

  /** Sends a request as Notion does. */
  async function notify(site: TestSite, { id }: Source, body: string, signature?: string): Promise<number> {
    const { status } = await fetch(`${server.address}/hooks/notion/${site.siteId}/${id}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(signature !== undefined && { 'x-notion-signature': signature }),
      },
      body,
    });
    return status;
  }

  test('a change that Notion reports is synchronized within a minute', async () => {
    const site = await server.createSite();
    const team = notion.database('Team', { Name: 'title', Mail: 'email' });
    const source = await aSource(site);
    const collections = [{ key: team.id, columns: { email: team.key('Mail') } }];
    await site.patch(`/sources/${source.id}`, { collections });
    await synchronize(site, source);
    expect(await webhookOf(site, source)).toMatchObject({
      address: expect.stringMatching(`/hooks/notion/${site.siteId}/${source.id}$`),
      status: 'none',
      verificationToken: null,
    });

    await connect(site, source);
    expect(await notify(site, source, verification)).toBe(204);
    expect(await webhookOf(site, source)).toMatchObject({
      status: 'waiting',
      awaitedUntil: null,
      verificationToken: 'secret_of_notion',
    });
    await site.patch(`/sources/${source.id}`, { enabled: true, intervalMinutes: 1_000 });
    await synchronize(site, source);
    team.addRow({ Name: 'Ada', Mail: 'ada@example.com' });
    expect(await notify(site, source, changed, signedWith('secret_of_notion', changed))).toBe(204);
    expect(await notify(site, source, changed, signedWith('secret_of_notion', changed))).toBe(204);
    expect(await webhookOf(site, source)).toMatchObject({ status: 'active', verificationToken: null });
    await expect.poll(() => scopeGroups(site), { timeout: 60_000, interval: 250 }).toEqual({ Team: ['ada'] });
    const runs = (await site.get(`/sources/${source.id}/runs`)).body.data;
    expect(runs.filter(({ trigger }: { trigger: string }) => trigger === 'change')).toHaveLength(1);
  });

  test('a request that Notion did not sign changes nothing, nor does another token', async () => {
    const site = await server.createSite();
    const source = await aSource(site);
    await connect(site, source);
    await notify(site, source, verification);
    const other = JSON.stringify({ verification_token: 'another' });
    expect(await notify(site, source, other)).toBe(404);
    expect(await notify(site, source, changed)).toBe(404);
    expect(await notify(site, source, changed, signedWith('another', changed))).toBe(404);
    expect(await notify(site, source, `${changed} `, signedWith('secret_of_notion', changed))).toBe(404);
    expect(await webhookOf(site, source)).toMatchObject({
      status: 'waiting',
      verificationToken: 'secret_of_notion',
    });
    expect((await site.get(`/sources/${source.id}/runs`)).body.data).toEqual([]);
  });

  test('a source that does not exist, or of another kind or site, is not told apart from a wrong signature', async () => {
    const [site, another] = [await server.createSite(), await server.createSite()];
    const source = await aSource(site);
    const program = await site.post('/sources', { type: 'program', name: 'Office' });
    const { data }: { data: Source } = program.body;
    expect(await notify(site, data, verification)).toBe(404);
    expect(await notify(another, source, verification)).toBe(404);
    expect(await notify(site, { ...source, id: randomUUID() }, verification)).toBe(404);
    expect(await notify(site, { ...source, id: 'x' }, verification)).toBe(404);
    const answer = await site.get(`/sources/${data.id}/webhook`);
    expectResponse('getSourceWebhook', answer, 409, 'source_without_webhook');
  });

  test('a source whose secret cannot be decrypted is not told apart either, and the log says why', async () => {
    const site = await server.createSite();
    const source = await aSource(site);
    const secret = new SecretBox([newSecretKey()]).seal('hush', placeOfSecret(site.siteId, source.id));
    await server.database.transaction((tx) =>
      tx.run(sql`UPDATE sources SET secret = ${secret} WHERE site_id = ${site.siteId} AND id = ${source.id}`),
    );
    expect(await notify(site, source, verification)).toBe(404);
    expect(await notify(site, source, changed, signedWith('secret_of_notion', changed))).toBe(404);
    const warnings = logged.map((line) => JSON.parse(line)).filter(({ sourceId }) => sourceId === source.id);
    const reason = expect.stringContaining('GATEHOUSE_SECRET_KEY');
    expect(warnings).toMatchObject([
      { level: 40, reason },
      { level: 40, reason },
    ]);
  });

  test('after a reset Notion can send another token; a new token of the source resets it too', async () => {
    const site = await server.createSite();
    const source = await aSource(site);
    const another = JSON.stringify({ verification_token: 'another' });
    await connect(site, source);
    await notify(site, source, verification);
    await connect(site, source);
    expect(await notify(site, source, another)).toBe(204);
    expect(await webhookOf(site, source)).toMatchObject({ verificationToken: 'another' });
    await site.patch(`/sources/${source.id}`, { token: notion.token });
    expect(await webhookOf(site, source)).toMatchObject({ status: 'none', awaitedUntil: null });
  });

  test('a token of Notion is accepted only in the 15 minutes after somebody has asked for it', async () => {
    const site = await server.createSite();
    const source = await aSource(site);
    const rejected = async () => {
      expect(await notify(site, source, verification)).toBe(404);
      expect(await webhookOf(site, source)).toMatchObject({ status: 'none', awaitedUntil: null });
      expect(
        logged.map((line) => JSON.parse(line)).findLast(({ sourceId }) => sourceId === source.id),
      ).toMatchObject({
        level: 40,
        msg: expect.stringContaining('connect Notion on the page of the source'),
      });
    };
    await rejected();
    await connect(site, source);
    const { awaitedUntil } = await webhookOf(site, source);
    expect(Date.parse(awaitedUntil!) - Date.now()).toBeGreaterThan(14 * 60_000);
    expect(Date.parse(awaitedUntil!) - Date.now()).toBeLessThanOrEqual(15 * 60_000);
    // The minutes pass.
    const past = JSON.stringify({ host: source.host, webhookAwaitedUntil: new Date().toISOString() });
    await server.database.run(sql`
      UPDATE sources SET settings = ${past} WHERE site_id = ${site.siteId} AND id = ${source.id}`);
    await rejected();
    await connect(site, source);
    await connect(site, source);
    expect(await notify(site, source, verification)).toBe(204);
    const another = JSON.stringify({ verification_token: 'another' });
    expect(await notify(site, source, another)).toBe(404);
    const { data } = expectResponse('listEvents', await site.get('/events?type=source.updated'), 200);
    expect(data.map((event: { data: object }) => (event.data as { changes: unknown }).changes)).toEqual([
      [{ field: 'webhook', from: null, to: 'expected' }],
      [{ field: 'webhook', from: null, to: 'expected' }],
      [{ field: 'webhook', from: 'expected', to: 'waiting' }],
    ]);
  });

  test('a body that is too large or not JSON is rejected', async () => {
    const site = await server.createSite();
    const source = await aSource(site);
    expect(await notify(site, source, 'x'.repeat(65 * 1024))).toBe(413);
    await connect(site, source);
    expect(await notify(site, source, '{')).toBe(404);
    expect(await notify(site, source, JSON.stringify({ verification_token: 'a b' }))).toBe(404);
  });
});
