import { defaultPermissions } from '@gatehouse/contract';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Settings } from '../../server/src/app/settings/settings.ts';
import { startListServer } from '../../server/test/list-server.ts';
import { forOneStore } from '../../server/test/stores.ts';
import { startTestServer, type TestServer } from '../../server/test/test-server.ts';
import { useTestServer } from '../../server/test/use-server.ts';
import { Gatehouse, type GatehouseOptions, type SourceRun } from './index.ts';

const unknownId = '01980a3e-7c1b-7d42-9f3a-2b6c4d5e6f70';
const email = 'ada@example.com';

forOneStore((store) => {
  const server = useTestServer(store);

  /** A server for a single test, with its own settings. */
  async function startServer(settings: Partial<Settings>): Promise<TestServer> {
    const started = await startTestServer(store, { settings });
    onTestFinished(started.stop);
    return started;
  }

  /** One site per test on a shared server. */
  async function openSite(options: Partial<GatehouseOptions> = {}) {
    const { key } = await server.createSite();
    return new Gatehouse({ url: server.address, key, ...options });
  }

  describe('members', () => {
    test('one is created, changed and deleted', async () => {
      const gatehouse = await openSite();
      const group = await gatehouse.accessGroups.create({ name: 'Course' });
      const created = await gatehouse.members.create({ email, accessGroupIds: [group.id] });
      expect(created).toMatchObject({ email, status: 'active', accessGroups: [{ name: 'Course' }] });
      const changed = await gatehouse.members.update(created.id, { displayName: 'Ada', status: 'blocked' });
      expect(changed).toMatchObject({ id: created.id, displayName: 'Ada', status: 'blocked' });
      expect(await gatehouse.members.get(created.id)).toEqual(changed);
      expect(await gatehouse.members.unblock(created.id)).toMatchObject({ status: 'active' });
      expect(await gatehouse.members.block(created.id)).toMatchObject({ status: 'blocked' });
      expect(await gatehouse.members.delete(created.id)).toBeUndefined();
      await expect(gatehouse.members.get(created.id)).rejects.toMatchObject({ code: 'member_not_found' });
    });

    test('many are created individually', async () => {
      const gatehouse = await openSite();
      await gatehouse.members.create({ email });
      const { data, summary } = await gatehouse.members.bulkCreate({
        members: [{ email: 'grace@example.com' }, { email }, { email: 'nobody' }],
      });
      expect(summary).toEqual({ total: 3, created: 1, failed: 2 });
      expect(data).toMatchObject([
        { status: 'created', member: { email: 'grace@example.com' } },
        { status: 'conflict', error: { code: 'email_taken' } },
        { status: 'error', error: { code: 'invalid_email' } },
      ]);
    });

    test('many are updated individually', async () => {
      const gatehouse = await openSite();
      const { id } = await gatehouse.members.create({ email });
      const { data, summary } = await gatehouse.members.bulkUpdate([
        { id, displayName: 'Ada', paid: undefined },
        { id: unknownId, paid: true },
        { id, displayName: 'Ada' },
      ]);
      expect(data).toMatchObject([
        { id, status: 'updated', member: { displayName: 'Ada', paid: false } },
        { id: unknownId, status: 'error', error: { code: 'member_not_found' } },
        { id, status: 'unchanged' },
      ]);
      expect(summary).toEqual({ total: 3, updated: 1, unchanged: 1, failed: 1 });
    });

    test('one action is applied to many, with a result for each', async () => {
      const gatehouse = await openSite();
      const { id } = await gatehouse.members.create({ email });
      const { data, summary } = await gatehouse.members.bulkApply([id, unknownId], {
        type: 'set_paid',
        paid: true,
      });
      expect(data).toMatchObject([
        { memberId: id, status: 'done' },
        { memberId: unknownId, status: 'error', error: { code: 'member_not_found' } },
      ]);
      expect(summary).toEqual({ total: 2, done: 1, unchanged: 0, failed: 1 });
    });

    test('filters limit the list', async () => {
      const gatehouse = await openSite();
      await gatehouse.members.bulkCreate({
        members: [
          { email, displayName: 'Ada & Co', paid: true },
          { email: 'grace@example.com', displayName: 'Grace' },
        ],
      });
      const found = async (filter: Parameters<typeof gatehouse.members.list>[0]) =>
        (await gatehouse.members.list(filter).page()).data.map((member) => member.displayName);
      expect(await found({ q: 'a & c' })).toEqual(['Ada & Co']);
      expect(await found({ paid: false })).toEqual(['Grace']);
      expect(await found({ paid: true, verified: false })).toEqual(['Ada & Co']);
      expect(await found({ sort: 'email', order: 'desc', q: undefined })).toEqual(['Grace', 'Ada & Co']);
    });
  });

  describe('access groups', () => {
    test('one is created, changed and deleted', async () => {
      const gatehouse = await openSite();
      const group = await gatehouse.accessGroups.create({ name: 'Course', description: 'All of it' });
      expect(await gatehouse.accessGroups.update(group.id, { description: null })).toMatchObject({
        name: 'Course',
        description: null,
      });
      expect(await gatehouse.accessGroups.get(group.id)).toMatchObject({ description: null, memberCount: 0 });
      expect((await gatehouse.accessGroups.list({ type: 'custom', q: 'COU' }).page()).data).toHaveLength(1);
      await gatehouse.accessGroups.delete(group.id);
      expect((await gatehouse.accessGroups.list().page()).data).toEqual([]);
    });

    test('members are added and removed', async () => {
      const gatehouse = await openSite();
      const group = await gatehouse.accessGroups.create({ name: 'Course' });
      const member = await gatehouse.members.create({ email });
      const { members, memberships } = gatehouse.accessGroups;
      const expiresAt = '2099-12-31T23:00:00.000Z';
      const added = await members.add(group.id, { memberId: member.id, expiresAt });
      expect(added.accessGroups).toEqual([{ id: group.id, name: 'Course' }]);
      expect(await memberships.get(group.id, member.id)).toMatchObject({ expiresAt, source: 'api' });
      expect((await members.list(group.id).page()).data).toMatchObject([{ id: member.id }]);
      await members.remove(group.id, member.id);
      expect((await members.list(group.id).page()).data).toEqual([]);
    });
  });

  describe('sources', () => {
    test('one is created, and its collection looked at, chosen and synchronized', async () => {
      const { sources, accessGroups } = await openSite();
      const list = await startListServer('Name,Email\nAda,ada@example.com\n');
      onTestFinished(() => list.stop());
      const { id } = await sources.create({ type: 'list', name: 'Members', address: list.address });
      expect(await sources.collections.list(id)).toEqual({
        collections: [{ key: 'list', name: 'Members', chosen: false }],
        complete: true,
      });
      const { guess, rows } = await sources.collections.preview(id, 'list');
      expect(rows).toEqual([['Ada', 'ada@example.com']]);
      await sources.update(id, { collections: [{ key: 'list', columns: guess! }] });

      const seen: SourceRun[] = [];
      const dryRun = await sources.sync(id, { dryRun: true });
      const run = await sources.runs.wait(id, dryRun.id, {
        pollMilliseconds: 10,
        onProgress: (each) => seen.push(each),
      });
      expect(run).toMatchObject({ status: 'succeeded', dryRun: true, counts: { read: 1, created: 1 } });
      expect(seen.at(-1)).toEqual(run);
      await sources.runs.wait(id, (await sources.sync(id)).id, { pollMilliseconds: 10 });
      expect((await accessGroups.list().page()).data).toMatchObject([{ name: 'Members', memberCount: 1 }]);

      list.body = 'Name,Email\n';
      const emptied = await sources.runs.wait(id, (await sources.sync(id)).id, { pollMilliseconds: 10 });
      expect(emptied).toMatchObject({ status: 'confirmation_required', counts: { withheld: 1 } });
      const confirmed = await sources.sync(id, { confirmRemovals: true });
      await sources.runs.wait(id, confirmed.id, { pollMilliseconds: 10 });
      expect((await sources.runs.list(id).page()).data).toMatchObject([
        { id: confirmed.id, status: 'succeeded', counts: { removed: 1 } },
        { id: emptied.id },
        { status: 'succeeded', counts: { created: 1 } },
        { id: run.id },
      ]);
      await sources.delete(id);
      expect((await sources.list().page()).data).toEqual([]);
    });

    test('waiting for a run ends when the signal aborts', async () => {
      const { sources } = await openSite();
      const list = await startListServer('Email\nada@example.com\n');
      onTestFinished(() => list.stop());
      list.respond = () => {};
      const { id } = await sources.create({ type: 'list', name: 'Members', address: list.address });
      await sources.update(id, { collections: [{ key: 'list', columns: { email: 'Email' } }] });
      const stop = new AbortController();
      const waiting = sources.runs.wait(id, (await sources.sync(id)).id, {
        signal: stop.signal,
        onProgress: () => stop.abort(new Error('stopped')),
      });
      await expect(waiting).rejects.toThrow('stopped');
    });
  });

  test('keys are created, rotated, listed and revoked', async () => {
    const gatehouse = await openSite();
    const shop = await gatehouse.apiKeys.create({ name: 'Shop', permissions: ['members:read'] });
    const { address: url } = server;
    const members = await new Gatehouse({ url, key: shop.secret }).members.list().page();
    expect(members.data).toEqual([]);
    const next = await gatehouse.apiKeys.rotate(shop.id, { overlapHours: 0 });
    await gatehouse.apiKeys.revoke(next.id);
    expect((await gatehouse.apiKeys.list({ limit: 2 }).page()).data).toMatchObject([
      { id: next.id, revokedAt: expect.any(String) },
      { id: shop.id, replacedBy: next.id },
    ]);
  });

  test('emails are listed and read, and sent again only if they have failed', async () => {
    const gatehouse = await openSite();
    await gatehouse.site.update({ domain: `${crypto.randomUUID()}.example.com` });
    const { id } = await gatehouse.members.create({ email });
    await gatehouse.members.loginLinks.create(id);
    const [sent] = await Array.fromAsync(gatehouse.emails.list({ memberId: id }));
    expect(sent).toMatchObject({ recipient: email, memberId: id, type: 'login_link' });
    expect((await gatehouse.emails.get(sent!.id)).text).toContain('/_gatehouse/link/');
    await expect(gatehouse.emails.resend(sent!.id)).rejects.toMatchObject({ code: 'email_not_resendable' });
  });

  test('operators are invited, changed, listed and removed', async () => {
    const gatehouse = await openSite();
    const owner = await gatehouse.operators.invite({ email: 'ada@example.com', role: 'owner' });
    const other = await gatehouse.operators.invite({ email: 'grace@example.com', role: 'viewer' });
    expect(await gatehouse.operators.update(other.id, { role: 'support' })).toMatchObject({
      role: 'support',
      status: 'invited',
    });
    await expect(gatehouse.operators.remove(owner.id)).rejects.toMatchObject({ code: 'last_owner' });
    await gatehouse.operators.remove(other.id);
    const { data } = await gatehouse.operators.list({ limit: 2 }).page();
    expect(data.map(({ email }) => email)).toEqual(['ada@example.com']);
  });

  test('the site is read and changed', async () => {
    const gatehouse = await openSite();
    await gatehouse.site.update({ title: 'Academy' });
    expect(await gatehouse.site.get()).toMatchObject({ title: 'Academy', status: 'active' });
    const { days } = await gatehouse.overview.get({ timeZone: 'Europe/Paris' });
    expect(days).toHaveLength(30);
  });

  describe('logging in', () => {
    test('a link is created, and its session is listed, verified and revoked', async () => {
      const site = await server.createSite([...defaultPermissions, 'login-links:write']);
      const gatehouse = new Gatehouse({ url: server.address, key: site.key });
      await gatehouse.site.update({ domain: `${site.siteId}.example.com` });
      const { id } = await gatehouse.members.create({ email });
      const link = await gatehouse.members.loginLinks.create(id, { send: false, next: '/courses' });
      expect(link).toMatchObject({ memberId: id, sent: false });
      const { headers } = await site.visit('POST', new URL(link.url!).pathname);
      const [, token] = /__Host-gatehouse_session=([^;]+)/.exec(String(headers['set-cookie']))!;

      const sessions = await Array.fromAsync(gatehouse.members.sessions.list(id));
      expect(sessions).toMatchObject([{ memberId: id }]);
      expect(await gatehouse.sessions.verify({ token: token!, path: '/courses' })).toMatchObject({
        session: { id: sessions[0]!.id },
        member: { email, verified: true },
        access: { allowed: true, reason: 'member' },
        loginUrl: expect.stringContaining('/_gatehouse/login?next=%2Fcourses'),
      });
      await gatehouse.members.sessions.revoke(id, sessions[0]!.id);
      await gatehouse.members.sessions.revokeAll(id);
      expect(await gatehouse.sessions.verify({ token: token! })).toMatchObject({
        session: null,
        member: null,
      });
    });

    test('a link is emailed', async () => {
      const gatehouse = await openSite();
      await gatehouse.site.update({ domain: `${crypto.randomUUID()}.example.com` });
      const { id } = await gatehouse.members.create({ email });
      expect(await gatehouse.members.loginLinks.create(id)).toMatchObject({ sent: true, url: null });
    });
  });

  test('rules decide about access and are replaced as a whole', async () => {
    const gatehouse = await openSite();
    const { id: groupId } = await gatehouse.accessGroups.create({ name: 'Course' });
    const { id: memberId } = await gatehouse.members.create({ email, accessGroupIds: [groupId] });
    const { data: before, response } = await gatehouse.accessRules.get().withResponse();
    expect(before).toEqual({ rules: [], updatedAt: null });
    const rules = [
      { path: '/', access: 'public' },
      { path: '/courses', access: 'groups', groupIds: [groupId] },
    ] as const;
    const ifMatch = { ifMatch: response.etag };
    expect((await gatehouse.accessRules.replace(rules, ifMatch)).rules).toMatchObject(rules);
    await expect(gatehouse.accessRules.replace([], ifMatch)).rejects.toMatchObject({
      code: 'precondition_failed',
    });
    const path = '/courses/rowing?lang=en';
    expect(await gatehouse.access.check([{ memberId, path }, { email, path }, { path }])).toMatchObject([
      { allowed: true, reason: 'group_member', rule: { path: '/courses' } },
      { allowed: true, reason: 'group_member' },
      { allowed: false, reason: 'anonymous' },
    ]);
  });

  describe('lists', () => {
    async function openSiteOfSeven() {
      let requests = 0;
      const gatehouse = await openSite({
        fetch: (url, init) => {
          requests++;
          return fetch(url, init);
        },
      });
      const emails = [0, 1, 2, 3, 4, 5, 6].map((number) => `m${number}@example.com`);
      await gatehouse.members.bulkCreate({ members: emails.map((each) => ({ email: each })) });
      requests = 0;
      const list = gatehouse.members.list({ limit: 3, sort: 'email', order: 'asc' });
      return { gatehouse, emails, list, requests: () => requests };
    }

    test('a loop reads all pages', async () => {
      const { emails, list, requests } = await openSiteOfSeven();
      const seen = [];
      for await (const member of list) seen.push(member.email);
      expect(seen).toEqual(emails);
      expect(requests()).toBe(3);
    });

    test('a loop that ends early fetches nothing more', async () => {
      const { list, requests } = await openSiteOfSeven();
      for await (const member of list) if (member.email === 'm3@example.com') break;
      expect(requests()).toBe(2);
    });

    test('nothing is fetched before it is read, and each loop starts from the beginning', async () => {
      const { list, requests } = await openSiteOfSeven();
      expect(requests()).toBe(0);
      for await (const { email: first } of list) if (first) break;
      for await (const { email: first } of list) if (first) break;
      expect(requests()).toBe(2);
    });

    test('complete pages are listed', async () => {
      const { list } = await openSiteOfSeven();
      const sizes = [];
      for await (const { data, pagination } of list.pages()) sizes.push([data.length, pagination.hasMore]);
      expect(sizes).toEqual([
        [3, true],
        [3, true],
        [1, false],
      ]);
    });

    test('one page leads to the next', async () => {
      const { gatehouse, list } = await openSiteOfSeven();
      const { pagination } = await list.page();
      const after = pagination.nextCursor!;
      const second = gatehouse.members.list({ limit: 3, sort: 'email', order: 'asc', after });
      expect((await second.page()).data[0]).toMatchObject({ email: 'm3@example.com' });
      const rest = [];
      for await (const member of second) rest.push(member.email);
      expect(rest).toHaveLength(4);
    });
  });

  describe('the metadata of the response', () => {
    test('the ETag allows a change only to the version that was read', async () => {
      const gatehouse = await openSite();
      const { id } = await gatehouse.members.create({ email });
      const { data, response } = await gatehouse.members.get(id).withResponse();
      expect(data).toMatchObject({ id });
      await gatehouse.members.update(id, { paid: true }, { ifMatch: response.etag });
      const stale = { ifMatch: response.etag };
      await expect(gatehouse.members.update(id, { paid: false }, stale)).rejects.toMatchObject({
        code: 'precondition_failed',
        status: 412,
      });
      await expect(gatehouse.members.delete(id, stale)).rejects.toMatchObject({ status: 412 });
    });

    test('it contains the request ID, the rate limit and the URL of the new resource', async () => {
      const server = await startServer({ rateLimit: 1_000 });
      const { key } = await server.createSite();
      const gatehouse = new Gatehouse({ url: server.apiUrl, key });
      const requestId = '0f8fad5b-d9cb-469f-a165-70867728950e';
      const { data, response } = await gatehouse.members.create({ email }, { requestId }).withResponse();
      expect(response).toMatchObject({ status: 201, requestId, replayed: false });
      expect(response.rateLimit).toMatchObject({ limit: 1_000, remaining: 999 });
      expect(response.rateLimit?.resetsAt).toBeInstanceOf(Date);
      expect(response.location).toMatch(new RegExp(`/api/v1/members/${data.id}$`));
      const deleted = await gatehouse.members.delete(data.id).withResponse();
      expect(deleted).toMatchObject({ data: undefined, response: { status: 204, etag: undefined } });
    });
  });

  describe('creating', () => {
    test('happens once even if its response is lost', async () => {
      let responses = 0;
      const loseTheFirst: typeof fetch = async (url, init) => {
        const response = await fetch(url, init);
        if (responses++ === 0) throw new TypeError('fetch failed');
        return response;
      };
      const gatehouse = await openSite({ fetch: loseTheFirst, wait: async () => {} });
      const { data, response } = await gatehouse.members.create({ email }).withResponse();
      expect(response).toMatchObject({ status: 201, replayed: true });
      expect((await gatehouse.members.list().page()).data).toMatchObject([{ id: data.id }]);
    });

    test('happens once with one idempotency key', async () => {
      const gatehouse = await openSite();
      const once = { idempotencyKey: 'invoice "42"' };
      const first = await gatehouse.accessGroups.create({ name: 'Course' }, once);
      expect(await gatehouse.accessGroups.create({ name: 'Course' }, once)).toEqual(first);
      await expect(gatehouse.accessGroups.create({ name: 'Other' }, once)).rejects.toMatchObject({
        code: 'idempotency_key_reused',
      });
    });
  });

  describe('errors', () => {
    test('an error contains its code, its details and its request ID', async () => {
      const gatehouse = await openSite();
      const requestId = '0f8fad5b-d9cb-469f-a165-70867728950e';
      const call = gatehouse.members.create({ email: 5 as unknown as string }, { requestId });
      await expect(call).rejects.toMatchObject({
        name: 'GatehouseError',
        code: 'invalid_request',
        status: 400,
        requestId,
        details: [{ path: '/email', message: expect.any(String) }],
      });
    });

    test('an invalid key is rejected', async () => {
      const gatehouse = await openSite({ key: 'gate_nonsense' });
      await expect(gatehouse.site.get()).rejects.toMatchObject({ code: 'invalid_api_key', details: [] });
    });

    test('the rate limit says how long to wait', async () => {
      const server = await startServer({ rateLimit: 1 });
      const { key } = await server.createSite();
      const gatehouse = new Gatehouse({ url: server.address, key, retries: 0 });
      await gatehouse.site.get();
      await expect(gatehouse.site.get()).rejects.toMatchObject({
        code: 'rate_limited',
        status: 429,
        retryAfterSeconds: expect.any(Number),
      });
    });

    test('an id cannot lead to another operation', async () => {
      const gatehouse = await openSite();
      const member = await gatehouse.members.create({ email });
      for (const id of ['..', '.', '']) {
        await expect(gatehouse.accessGroups.members.remove(id, member.id)).rejects.toMatchObject({
          code: 'invalid_request',
        });
      }
      await expect(gatehouse.members.delete(`../members/${member.id}`)).rejects.toMatchObject({
        code: 'invalid_request',
      });
      await expect(gatehouse.members.get(unknownId)).rejects.toMatchObject({ code: 'member_not_found' });
      expect(await gatehouse.members.get(member.id)).toEqual(member);
    });
  });
});
