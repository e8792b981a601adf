import type { BulkMemberUpdate, BulkUpdateResultItem, Event } from '@gatehouse/contract';
import { describe, expect, test } from 'vitest';
import { expectResponse } from '../../../test/contract/answers.ts';
import { dumpSite } from '../../../test/contract/dump.ts';
import { aMember, everyItem, someMembers, unknownId } from '../../../test/contract/given.ts';
import { hour, movableTime } from '../../../test/movable-time.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';

forEachStore((store) => {
  const { clock, advance } = movableTime();
  const server = useTestServer(store, { clock });

  const send = (site: TestSite, members: readonly BulkMemberUpdate[], headers?: Record<string, string>) =>
    site.post('/members/bulk-updates', { members }, headers);
  const update = async (site: TestSite, members: readonly BulkMemberUpdate[]) =>
    expectResponse('bulkUpdateMembers', await send(site, members), 207);
  const outcome = (item: BulkUpdateResultItem) => ('error' in item ? item.error.code : item.status);
  const updatesOf = async (site: TestSite): Promise<Event<'member.updated'>[]> =>
    everyItem(site, '/events?type=member.updated');

  test('each item has a result in the order submitted, and what is left out stays', async () => {
    const site = await server.createSite();
    const ada = await aMember(site, { displayName: 'Ada', paid: true });
    const grace = await aMember(site, { displayName: 'Grace' });
    const dorothy = await aMember(site, { displayName: 'Dorothy' });
    advance(hour);
    const unknown = unknownId();
    const { data, summary } = await update(site, [
      { id: dorothy.id, displayName: ' Dorothy Vaughan ' },
      { id: unknown, paid: true },
      { id: ada.id.toUpperCase(), displayName: 'Ada', paid: true },
      { id: grace.id, displayName: 'x'.repeat(201), paid: true },
      { id: grace.id, paid: true },
      { id: ada.id, displayName: '' },
      { id: dorothy.id },
    ]);
    expect(data.map(({ id }: { id: string }) => id)).toEqual([
      dorothy.id,
      unknown,
      ada.id,
      grace.id,
      grace.id,
      ada.id,
      dorothy.id,
    ]);
    expect(data.map(outcome)).toEqual([
      'updated',
      'member_not_found',
      'unchanged',
      'invalid_display_name',
      'updated',
      'updated',
      'unchanged',
    ]);
    expect(summary).toEqual({ total: 7, updated: 3, unchanged: 2, failed: 2 });
    const read = async ({ id }: { id: string }) => {
      const { accessGroups: _, ...member } = (await site.get(`/members/${id}`)).body.data;
      return member;
    };
    expect(data[0].member).toEqual(await read(dorothy));
    expect(data[4].member).toEqual(await read(grace));
    expect(data[5].member).toEqual(await read(ada));
    expect(await read(dorothy)).toMatchObject({ displayName: 'Dorothy Vaughan', paid: false });
    expect(await read(grace)).toMatchObject({ displayName: 'Grace', paid: true });
    expect(await read(ada)).toMatchObject({ displayName: null, paid: true });
  });

  test('a changed member is found by the new name, and its last change is now', async () => {
    const site = await server.createSite();
    const [ada, grace] = await someMembers(site, 2);
    advance(hour);
    await update(site, [
      { id: ada!.id, displayName: 'Ada Lovelace' },
      { id: grace!.id, displayName: grace!.displayName, paid: false },
    ]);
    const found = async (query: string) =>
      (await everyItem(site, `/members?${query}`)).map(({ id }: { id: string }) => id);
    expect(await found('q=lovelace')).toEqual([ada!.id]);
    expect(await found('sort=updatedAt&order=asc')).toEqual([grace!.id, ada!.id]);
    expect((await site.get(`/members/${ada!.id}`)).body.data.updatedAt).toBe(clock().toISOString());
    expect((await site.get(`/members/${grace!.id}`)).body.data).toEqual(grace);
  });

  test('a later item about the same member is applied to the result of the earlier one', async () => {
    const site = await server.createSite();
    const { id, displayName } = await aMember(site, { displayName: 'Ada' });
    advance(hour);
    const { data } = await update(site, [
      { id, displayName: 'Ada King' },
      { id, displayName: 'Ada King' },
      { id, paid: true },
      { id, displayName },
      { id, paid: false },
    ]);
    expect(data.map(outcome)).toEqual(['updated', 'unchanged', 'updated', 'updated', 'updated']);
    expect(data[2].member).toMatchObject({ displayName: 'Ada King', paid: true });
    expect((await site.get(`/members/${id}`)).body.data).toMatchObject({
      displayName: 'Ada',
      paid: false,
      updatedAt: clock().toISOString(),
    });
    expect(
      (await updatesOf(site)).flatMap((event) => ('changes' in event.data ? event.data.changes : [])),
    ).toEqual([
      { field: 'displayName', from: 'Ada', to: 'Ada King' },
      { field: 'paid', from: false, to: true },
      { field: 'displayName', from: 'Ada King', to: 'Ada' },
      { field: 'paid', from: true, to: false },
    ]);
  });

  test('each changed member has one event with the request, and the others have none', async () => {
    const site = await server.createSite();
    const [ada, grace] = await someMembers(site, 2);
    const requestId = crypto.randomUUID();
    const items = [
      { id: ada!.id, displayName: 'Ada King', paid: true },
      { id: grace!.id, displayName: grace!.displayName },
      { id: unknownId(), paid: true },
    ];
    await send(site, items, { 'x-request-id': requestId });
    expect(await everyItem(site, `/events?requestId=${requestId}`)).toMatchObject([
      {
        type: 'member.updated',
        requestId,
        actor: { type: 'key' },
        data: {
          memberId: ada!.id,
          changes: [
            { field: 'displayName', from: ada!.displayName, to: 'Ada King' },
            { field: 'paid', from: false, to: true },
          ],
        },
      },
    ]);
  });

  test('the number of paying members follows', async () => {
    const site = await server.createSite();
    const members = await someMembers(site, 3);
    const paying = async () => (await site.get('/overview')).body.data.members.paid;
    await update(
      site,
      members.map(({ id }) => ({ id, paid: true })),
    );
    expect(await paying()).toBe(3);
    await update(site, [
      { id: members[0]!.id, paid: false },
      { id: members[0]!.id, paid: false },
    ]);
    expect(await paying()).toBe(2);
  });

  test('a repeated request with an idempotency key changes nothing again', async () => {
    const site = await server.createSite();
    const { id } = await aMember(site, { displayName: 'Ada' });
    const once = () => send(site, [{ id, displayName: 'Ada King' }], { 'idempotency-key': 'import-1' });
    const first = expectResponse('bulkUpdateMembers', await once(), 207);
    await site.patch(`/members/${id}`, { displayName: 'Ada Lovelace' });
    expect(expectResponse('bulkUpdateMembers', await once(), 207)).toEqual(first);
    expect((await site.get(`/members/${id}`)).body.data.displayName).toBe('Ada Lovelace');
  });

  test('500 members are renamed in one request, each to a name of its own', async () => {
    const site = await server.createSite();
    const drafts = Array.from({ length: 500 }, (_, index) => ({ email: `m${index}@example.com` }));
    const { data: created } = (await site.post('/members/bulk', { members: drafts })).body;
    const items = created.map(({ member }: { member: { id: string } }, index: number) => ({
      id: member.id,
      displayName: `Member ${index}`,
      paid: index % 2 === 0,
    }));
    const { summary } = await update(site, items.toReversed());
    expect(summary).toEqual({ total: 500, updated: 500, unchanged: 0, failed: 0 });
    const listed = await everyItem(site, '/members?order=asc');
    expect(listed.map(({ id, displayName, paid }) => ({ id, displayName, paid }))).toEqual(items);
  });

  test('simultaneous requests for the same members each take effect as a whole', async () => {
    const site = await server.createSite();
    const members = await someMembers(site, 20);
    const names = ['one', 'two', 'three', 'four'];
    await Promise.all(
      names.map((displayName, index) => {
        const items = members.map(({ id }) => ({ id, displayName }));
        return update(site, index % 2 === 0 ? items : items.toReversed());
      }),
    );
    const stored = new Set((await everyItem(site, '/members')).map(({ displayName }) => displayName));
    expect(stored.size).toBe(1);
    expect(await updatesOf(site)).toHaveLength(80);
  });

  describe('the whole request is rejected and nothing is changed', () => {
    const good = { id: unknownId(), paid: true };
    const shapes: [string, object][] = [
      ['no members', { members: [] }],
      ['501 members', { members: Array(501).fill(good) }],
      ['no list', {}],
      ['a list that is not an array', { members: good }],
      ['an id that is not one', { members: [good, { id: 'x', paid: true }] }],
      ['a missing id', { members: [good, { paid: true }] }],
      ['a name that is not a string', { members: [{ ...good, displayName: 1 }] }],
      ['paid that is not a boolean', { members: [{ ...good, paid: 'true' }] }],
      ['paid that is null', { members: [{ ...good, paid: null }] }],
      ['another address', { members: [{ ...good, email: 'b@example.com' }] }],
      ['a status', { members: [{ ...good, status: 'blocked' }] }],
      ['an unknown field', { members: [good], atomic: true }],
      ['an item that is null', { members: [good, null] }],
    ];

    test.each(shapes)('for %s', async (_, body) => {
      const site = await server.createSite();
      const before = await dumpSite(server.database, site.siteId);
      const answer = await site.post('/members/bulk-updates', body);
      expectResponse('bulkUpdateMembers', answer, 400, 'invalid_request');
      expect(await dumpSite(server.database, site.siteId)).toEqual(before);
    });
  });

  test('when nothing changes, nothing is written', async () => {
    const site = await server.createSite();
    const { id, displayName, paid } = await aMember(site, { displayName: 'Ada' });
    const before = await dumpSite(server.database, site.siteId);
    const values = { displayName, paid: paid === true };
    await update(site, [{ id, ...values }, { id }, { id: unknownId(), ...values }]);
    expect(await dumpSite(server.database, site.siteId)).toEqual(before);
  });
});
