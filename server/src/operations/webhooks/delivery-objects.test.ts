import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { expectResponse } from '../../../test/contract/answers.ts';
import { aGroup, aMember, aMembership, aWebhook } from '../../../test/contract/given.ts';
import { day } from '../../../test/movable-time.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { newId } from '../../base/ids.ts';

forEachStore((store) => {
  const server = useTestServer(store);

  /** A webhook that sends nothing, and how to store deliveries of it. */
  async function aSilentWebhook(site: TestSite) {
    const { id: webhookId } = await aWebhook(site, { eventTypes: ['source.failed'] });
    const deliver = (values: {
      position?: number | null;
      status?: string;
      trigger?: string;
      daysAgo?: number;
    }) => {
      const { position = null, status = 'succeeded', trigger = 'event', daysAgo = 0 } = values;
      const endedAt = new Date(Date.now() - daysAgo * day).toISOString();
      return server.database.run(sql`
        INSERT INTO webhook_deliveries (site_id, id, webhook_id, trigger, message_id, type, position, attempt, status, ended_at)
        VALUES (${site.siteId}, ${newId()}, ${webhookId}, ${trigger}, ${newId()}, 'member.created', ${position}, 1,
                ${status}, ${endedAt})`);
    };
    const list = async (headers = {}) => {
      const answer = await site.get(`/webhooks/${webhookId}/deliveries`, headers);
      const { data } = expectResponse('listWebhookDeliveries', answer, 200);
      return data.map(({ object }: { object: unknown }) => object).reverse();
    };
    return { webhookId, deliver, list };
  }

  const positionsOf = async (site: TestSite) => {
    const rows = await server.database.all<{ position: number; type: string }>(
      sql`SELECT position, type FROM events WHERE site_id = ${site.siteId} ORDER BY position`,
    );
    return new Map(rows.map(({ position, type }) => [type, position]));
  };

  test('a delivery names what its event is about, as far as the caller may read it', async () => {
    const site = await server.createSite();
    const { deliver, list } = await aSilentWebhook(site);
    const member = await aMember(site, { displayName: 'Ada Lovelace' });
    const group = await aGroup(site, { name: 'Choir' });
    await aMembership(site, group.id, member.id);
    const positions = await positionsOf(site);
    for (const type of [
      'member.created',
      'access-group.created',
      'access-group.member.added',
      'webhook.created',
    ])
      await deliver({ position: positions.get(type)! });
    await deliver({ trigger: 'test' });
    await deliver({ position: 1_000_000 });
    const ada = { type: 'member', id: member.id, name: 'Ada Lovelace' };
    const hook = { type: 'webhook', id: expect.any(String), name: expect.any(String) };
    expect(await list()).toEqual([
      ada,
      { type: 'access_group', id: group.id, name: 'Choir' },
      ada,
      hook,
      null,
      null,
    ]);
    const headersOf = async (...permissions: ('webhooks:read' | 'events:read')[]) => {
      const { secret } = await site.createKey({ permissions });
      return { authorization: `Bearer ${secret}` };
    };
    expect(await list(await headersOf('webhooks:read'))).toEqual([null, null, null, null, null, null]);
    // It may read webhooks, but neither members nor groups.
    expect(await list(await headersOf('webhooks:read', 'events:read'))).toEqual([
      { ...ada, name: null },
      { type: 'access_group', id: group.id, name: null },
      { ...ada, name: null },
      hook,
      null,
      null,
    ]);
    await site.delete(`/members/${member.id}`);
    expect((await list())[0]).toEqual({ ...ada, name: null });
  });

  test('deliveries are counted by the day on which they ended, without tests', async () => {
    const site = await server.createSite();
    const { webhookId, deliver } = await aSilentWebhook(site);
    await deliver({});
    await deliver({ status: 'failed' });
    await deliver({ trigger: 'test' });
    await deliver({ daysAgo: 3, trigger: 'replay' });
    const path = `/webhooks/${webhookId}/delivery-counts`;
    const { days } = expectResponse('getWebhookDeliveryCounts', await site.get(path), 200).data;
    expect(days).toHaveLength(7);
    expect(days[6]).toEqual({ date: new Date().toISOString().slice(0, 10), succeeded: 1, failed: 1 });
    expect(days[3]).toMatchObject({ succeeded: 1, failed: 0 });
    expect(days[0]).toMatchObject({ succeeded: 0, failed: 0 });
    const wrong = await site.get(`${path}?timeZone=Mars/Olympus`);
    expectResponse('getWebhookDeliveryCounts', wrong, 400, 'invalid_request');
    const other = await server.createSite();
    expectResponse('getWebhookDeliveryCounts', await other.get(path), 404, 'webhook_not_found');
  });
});
