import sql, { raw } from 'sql-template-tag';
import { expect, test, vi } from 'vitest';
import { expectError, expectResponse } from '../../../test/contract/answers.ts';
import { aGroup, aWebhook } from '../../../test/contract/given.ts';
import { secretKey } from '../../../test/secret-key.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { newSecretKey, SecretBox } from '../../base/encryption/secret-box.ts';
import { webhookSecrets } from './webhook-secrets.ts';

forEachStore((store) => {
  const server = useTestServer(store);

  const eventsOf = async (site: TestSite, type: string) =>
    expectResponse('listEvents', await site.get(`/events?type=${type}`), 200).data;

  test('a webhook has the given settings, or everything in full without order', async () => {
    const site = await server.createSite();
    const { secret, ...webhook } = await aWebhook(site, { url: 'https://Shop.Example.org/hook?key=1#end' });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect(webhook).toMatchObject({
      url: 'https://shop.example.org/hook?key=1',
      description: '',
      eventTypes: null,
      groupIds: null,
      content: 'full',
      parallelism: 5,
      enabled: true,
      status: 'active',
      disabledReason: null,
      failingSince: null,
      nextAttemptAt: null,
      replay: null,
    });
    const read = expectResponse('getWebhook', await site.get(`/webhooks/${webhook.id}`), 200).data;
    expect(read).toEqual(webhook);
    const [event] = await eventsOf(site, 'webhook.created');
    expect(event!.data).toEqual({ webhookId: webhook.id, host: 'shop.example.org' });
  });

  test.each([
    ['https://10.0.0.1/hook', 'url: 10.0.0.1 is not a public IP address'],
    ['https://user:secret@example.org', 'url: The URL contains a user name'],
    ['hook', 'url: This is not a complete URL'],
  ])('the URL %s is rejected', async (url, message) => {
    const site = await server.createSite();
    const { id } = await aWebhook(site);
    for (const answer of [
      await site.post('/webhooks', { url }),
      await site.patch(`/webhooks/${id}`, { url }),
    ]) {
      const { details } = expectError(answer, 400, 'invalid_request');
      expect(details).toEqual([{ path: '/url', message: expect.stringContaining(message) }]);
    }
  });

  test('settings are changed with an event that shows no part of the URL but its host', async () => {
    const site = await server.createSite();
    const group = await aGroup(site);
    const webhook = await aWebhook(site, { url: 'https://shop.example.org/secret-1' });
    const changes = {
      url: 'https://shop.example.org/secret-2',
      description: ' Shop ',
      content: 'ids',
      parallelism: 1,
      eventTypes: ['member.updated', 'member.created', 'member.created'],
      groupIds: [group.id],
    };
    await vi.waitUntil(() => new Date().toISOString() > webhook.updatedAt, { interval: 1 });
    const changed = expectResponse(
      'updateWebhook',
      await site.patch(`/webhooks/${webhook.id}`, changes),
      200,
    );
    const { updatedAt, ...rest } = changed.data;
    expect(rest).toMatchObject({
      ...changes,
      description: 'Shop',
      eventTypes: ['member.created', 'member.updated'],
    });
    expect(updatedAt > webhook.updatedAt).toBe(true);
    const [event] = await eventsOf(site, 'webhook.updated');
    expect(event!.data.changes).toEqual([
      { field: 'url', from: 'shop.example.org', to: 'shop.example.org' },
      { field: 'description', from: '', to: 'Shop' },
      { field: 'eventTypes', from: null, to: 'member.created, member.updated' },
      { field: 'groupIds', from: null, to: group.id },
      { field: 'content', from: 'full', to: 'ids' },
      { field: 'parallelism', from: '5', to: '1' },
    ]);
    expect(JSON.stringify(event)).not.toContain('secret');
    // Nothing changes with the same settings.
    expect((await site.patch(`/webhooks/${webhook.id}`, changes)).body).toEqual(changed);
    expect(await eventsOf(site, 'webhook.updated')).toHaveLength(1);
    const all = await site.patch(`/webhooks/${webhook.id}`, { eventTypes: null, groupIds: null });
    expect(all.body.data).toMatchObject({ eventTypes: null, groupIds: null });
  });

  test('a site has at most ten enabled webhooks', async () => {
    const site = await server.createSite();
    const webhooks = [];
    for (let number = 0; number < 10; number += 1) webhooks.push(await aWebhook(site));
    const body = { url: 'https://shop.example.org/hook' };
    expectError(await site.post('/webhooks', body), 409, 'too_many_webhooks');
    const { id } = await aWebhook(site, { enabled: false });
    expectError(await site.patch(`/webhooks/${id}`, { enabled: true }), 409, 'too_many_webhooks');
    await site.delete(`/webhooks/${webhooks[0]!.id}`);
    expectResponse('updateWebhook', await site.patch(`/webhooks/${id}`, { enabled: true }), 200);
  });

  test('a disabled webhook sends nothing', async () => {
    const site = await server.createSite();
    const { id } = await aWebhook(site, { enabled: false });
    const { data } = expectResponse('getWebhook', await site.get(`/webhooks/${id}`), 200);
    expect(data).toMatchObject({ enabled: false, status: 'disabled', disabledReason: 'request' });
    expectError(await site.request('POST', `/webhooks/${id}/test`), 409, 'webhook_disabled');
    const replay = { since: '2026-01-01T00:00:00Z' };
    expectError(await site.post(`/webhooks/${id}/replay`, replay), 409, 'webhook_disabled');
    const enabled = await site.patch(`/webhooks/${id}`, { enabled: true });
    expect(enabled.body.data).toMatchObject({ status: 'active', disabledReason: null });
  });

  test('a webhook that was deleted is not found', async () => {
    const site = await server.createSite();
    const { id } = await aWebhook(site);
    expect((await site.delete(`/webhooks/${id}`)).status).toBe(204);
    expectError(await site.get(`/webhooks/${id}`), 404, 'webhook_not_found');
    expectError(await site.get(`/webhooks/${id}/deliveries`), 404, 'webhook_not_found');
    const [event] = await eventsOf(site, 'webhook.deleted');
    expect(event!.data).toEqual({ webhookId: id, host: '127.0.0.1:65535' });
  });

  test('secrets are stored encrypted, and are sealed with the new key', async () => {
    const site = await server.createSite();
    const { id, secret } = await aWebhook(site);
    await site.request('POST', `/webhooks/${id}/rotate-secret`);
    const stored = async () =>
      (await server.database.get<{ secret: string; previous_secret: string }>(
        sql`SELECT secret, previous_secret FROM webhooks WHERE site_id = ${site.siteId} AND id = ${id}`,
      ))!;
    expect(JSON.stringify(await stored())).not.toContain(secret.slice(6));
    const both = new SecretBox([newSecretKey(), secretKey]);
    expect(await webhookSecrets.findOldSites(server.database, both)).toContain(site.siteId);
    const inspect = () => webhookSecrets.inspect({ db: server.database, siteId: site.siteId }, both);
    expect(await inspect()).toEqual({ stored: 1, old: 1, unreadable: [] });
    await server.database.transaction((tx) => webhookSecrets.renew({ db: tx, siteId: site.siteId }, both));
    expect(await inspect()).toEqual({ stored: 1, old: 0, unreadable: [] });
    const { previous_secret } = await stored();
    expect(both.open(previous_secret, `${site.siteId}/webhooks/${id}`)).toBe(secret);
    const other = new SecretBox([newSecretKey()]);
    expect(await webhookSecrets.inspect({ db: server.database, siteId: site.siteId }, other)).toMatchObject({
      unreadable: [`webhook ${id}`],
    });
  });

  test('a URL is stored encrypted, for its own webhook, beside its host', async () => {
    const site = await server.createSite();
    const [path, later] = ['/services/T0/b1c2d3e4f5a6', '/services/T0/a6f5e4d3c2b1'];
    const { id } = await aWebhook(site, { url: `https://hooks.example.org${path}` });
    const other = await aWebhook(site, { url: 'https://shop.example.org/hook' });
    await site.patch(`/webhooks/${id}`, { description: 'Chat' });
    await site.request('POST', `/webhooks/${id}/rotate-secret`);
    const change = await site.patch(`/webhooks/${id}`, { url: `https://hooks.example.org${later}` });
    expect(expectResponse('updateWebhook', change, 200).data.url).toContain(later);
    await site.post(`/webhooks/${id}/replay`, { since: '2026-01-01T00:00:00Z' });
    const { siteId } = site;
    const tables = await Promise.all([
      server.database.all(sql`SELECT * FROM webhooks WHERE site_id = ${siteId}`),
      server.database.all(sql`SELECT * FROM events WHERE site_id = ${siteId}`),
      server.database.all(sql`SELECT * FROM webhook_deliveries WHERE site_id = ${siteId}`),
      server.database.all(sql`SELECT * FROM idempotency_keys WHERE site_id = ${siteId}`),
    ]);
    expect(JSON.stringify(tables)).toContain('hooks.example.org');
    expect(JSON.stringify(tables)).not.toMatch(/services|b1c2d3e4f5a6|a6f5e4d3c2b1/);
    // A copy in the row of another webhook, or the secret that signs in place of the URL, opens nothing.
    for (const column of ['url', 'secret']) {
      await server.database.run(sql`
        UPDATE webhooks SET url = (SELECT ${raw(column)} FROM webhooks WHERE site_id = ${siteId} AND id = ${
          column === 'url' ? id : other.id
        })
        WHERE site_id = ${siteId} AND id = ${other.id}`);
      const shown = expectResponse('getWebhook', await site.get(`/webhooks/${other.id}`), 200).data;
      expect(shown.url).toBe('https://shop.example.org/');
    }
    // Everything else works, and the URL can be entered again.
    const same = await site.patch(`/webhooks/${other.id}`, { url: 'https://shop.example.org/' });
    expect(same.body.data.updatedAt).toBe(other.updatedAt);
    const again = await site.patch(`/webhooks/${other.id}`, { url: other.url });
    expect(expectResponse('updateWebhook', again, 200).data.url).toBe(other.url);
    expect((await site.delete(`/webhooks/${other.id}`)).status).toBe(204);
  });
});
