import { hash, randomUUID } from 'node:crypto';
import { acceptsIdempotencyKey, type Operation, type OperationId, operations } from '@gatehouse/contract';
import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { changing } from '../../test/change.ts';
import { expectResponse } from '../../test/contract/answers.ts';
import { dumpSite, dumpStore } from '../../test/contract/dump.ts';
import {
  aDomain,
  aGroup,
  aMember,
  aMembership,
  everyEmailGone,
  everyItem,
  everyRunEnded,
} from '../../test/contract/given.ts';
import { everyOperation, readyRequest, sendReady } from '../../test/contract/requests.ts';
import { day, movableTime } from '../../test/movable-time.ts';
import { forEachStore, isFirstStore } from '../../test/stores.ts';
import type { TestResponse } from '../../test/test-server.ts';
import { useTestServer } from '../../test/use-server.ts';
import { systemContext } from '../base/change-context.ts';
import { rotateApiKey } from '../domain/api-keys/api-keys.ts';

const withIdempotency = everyOperation.filter((id) => acceptsIdempotencyKey(operations[id]));
/** A key is looked up in the same way for every operation: these show it on each store. */
const onEachStore: readonly OperationId[] = ['createMember', 'bulkMemberActions', 'createMemberLoginLink'];

forEachStore((store) => {
  const { clock, advance } = movableTime();
  const server = useTestServer(store, { clock });
  const replayed = (answer: TestResponse) => answer.headers.get('idempotency-replayed');
  const withKey = (key: string) => ({ 'idempotency-key': key });

  describe.each(withIdempotency)('%s', (operationId) => {
    const { success }: Operation = operations[operationId];

    test('is executed once, and repeated requests get the same reply', async () => {
      const site = await server.createSite();
      const request = await readyRequest(operationId, site);
      const first = await sendReady(site, request, withKey('once'));
      expectResponse(operationId, first, success.status);
      expect(replayed(first)).toBeNull();
      await everyEmailGone(server, site);
      await everyRunEnded(server, site);
      const done = await dumpSite(server.database, site.siteId);

      for (let time = 0; time < 2; time += 1) {
        const again = await sendReady(site, request, withKey('once'));
        expectResponse(operationId, again, success.status);
        expect(again.text).toBe(first.text);
        expect(replayed(again)).toBe('true');
        for (const name of ['location', 'etag', 'content-type']) {
          expect(again.headers.get(name), name).toBe(first.headers.get(name));
        }
        expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
      }
      expect(await dumpSite(server.database, site.siteId)).toEqual(done);
    });
  });

  describe.each(isFirstStore(store) ? withIdempotency : onEachStore)('%s', (operationId) => {
    const { success }: Operation = operations[operationId];

    test('is rejected with the key of another request', async () => {
      const site = await server.createSite();
      const other = await site.post('/members', { email: 'first@example.com' }, withKey('taken'));
      expectResponse('createMember', other, 201);
      const request = await readyRequest(operationId, site);
      const before = await dumpSite(server.database, site.siteId);
      const answer = await sendReady(site, request, withKey('taken'));
      expectResponse(operationId, answer, 422, 'idempotency_key_reused');
      expect(replayed(answer)).toBeNull();
      expect(await dumpSite(server.database, site.siteId)).toEqual(before);
    });

    test('without a key is executed each time it is sent', async () => {
      const site = await server.createSite();
      const first = await sendReady(site, await readyRequest(operationId, site));
      const second = await sendReady(site, await readyRequest(operationId, site));
      for (const answer of [first, second]) expectResponse(operationId, answer, success.status);
      expect(second.text).not.toBe(first.text);
    });
  });

  test('an error response is repeated too, even when its cause is gone', async () => {
    const site = await server.createSite();
    const [member, group] = [await aMember(site), await aGroup(site)];
    await aMembership(site, group.id, member.id);
    const path = `/access-groups/${group.id}/members`;
    const first = await site.post(path, { memberId: member.id }, withKey('refused'));
    expectResponse('addAccessGroupMember', first, 409, 'already_in_group');
    expectResponse('removeAccessGroupMember', await site.delete(`${path}/${member.id}`), 204);

    const again = await site.post(path, { memberId: member.id }, withKey('refused'));
    const error = expectResponse('addAccessGroupMember', again, 409, 'already_in_group');
    expect(replayed(again)).toBe('true');
    expect({ ...error, requestId: '' }).toEqual({ ...first.body.error, requestId: '' });
    expect(await everyItem(site, path)).toEqual([]);
    expectResponse(
      'addAccessGroupMember',
      await site.post(path, { memberId: member.id }, withKey('new')),
      201,
    );
  });

  test('a rejected request leaves no changes', async () => {
    const site = await server.createSite();
    const [member, group] = [await aMember(site), await aGroup(site)];
    const body = { email: member.email, accessGroupIds: [group.id] };
    expectResponse('createMember', await site.post('/members', body, withKey('k')), 409, 'email_taken');
    expect((await site.get(`/access-groups/${group.id}`)).body.data.memberCount).toBe(0);
    expect(await everyItem(site, '/events?type=member.created')).toHaveLength(1);
  });

  test('an invalid request does not use up the key', async () => {
    const site = await server.createSite();
    expectResponse(
      'createMember',
      await site.post('/members', { address: 'x' }, withKey('k')),
      400,
      'invalid_request',
    );
    expectResponse('createMember', await site.post('/members', '{', withKey('k')), 400, 'invalid_json');
    expectResponse(
      'createMember',
      await site.post('/members', { email: 'a@example.com' }, withKey('k')),
      201,
    );
  });

  test('white space in the body does not make a different request', async () => {
    const site = await server.createSite();
    const body = { email: 'ada@example.com', displayName: 'Ada' };
    const first = await site.post('/members', body, withKey('k'));
    const again = await site.post('/members', JSON.stringify(body, null, 2), withKey('k'));
    expectResponse('createMember', again, 201);
    expect(again.text).toBe(first.text);
    const other = await site.post('/members', { ...body, paid: true }, withKey('k'));
    expectResponse('createMember', other, 422, 'idempotency_key_reused');
  });

  test('the same body on another path is a different request', async () => {
    const site = await server.createSite();
    const [first, second, member] = [await aGroup(site), await aGroup(site), await aMember(site)];
    const body = { memberId: member.id };
    expectResponse(
      'addAccessGroupMember',
      await site.post(`/access-groups/${first.id}/members`, body, withKey('k')),
      201,
    );
    const answer = await site.post(`/access-groups/${second.id}/members`, body, withKey('k'));
    expectResponse('addAccessGroupMember', answer, 422, 'idempotency_key_reused');
  });

  test('a bare key and the same key as a quoted string are equal', async () => {
    const site = await server.createSite();
    const body = { email: 'ada@example.com' };
    const first = await site.post('/members', body, withKey('order-7'));
    const quoted = await site.post('/members', body, withKey('"order-7"'));
    expectResponse('createMember', quoted, 201);
    expect(quoted.text).toBe(first.text);
    expect(replayed(quoted)).toBe('true');
  });

  test('a quoted key may contain spaces, quotes and backslashes', async () => {
    const site = await server.createSite();
    const body = { email: 'ada@example.com' };
    const key = String.raw`"my \"own\" key \\ 7"`;
    const first = await site.post('/members', body, withKey(key));
    expectResponse('createMember', first, 201);
    expect((await site.post('/members', body, withKey(key))).text).toBe(first.text);
  });

  test('a key has 1 to 255 characters', async () => {
    const site = await server.createSite();
    const create = (key: string) =>
      site.post('/members', { email: `m-${randomUUID()}@example.com` }, withKey(key));
    for (const key of ['k', 'k'.repeat(255), `"${'q'.repeat(255)}"`]) {
      expectResponse('createMember', await create(key), 201);
    }
    const wrong = [
      'k'.repeat(256),
      `"${'q'.repeat(256)}"`,
      '""',
      '',
      'two words',
      '"open',
      'a"b c',
      'k\u00e9y',
    ];
    for (const key of wrong) {
      const error = expectResponse('createMember', await create(key), 400, 'invalid_request');
      expect(error.details[0].path).toBe('/Idempotency-Key');
    }
  });

  test('a key belongs to one site', async () => {
    const [site, other] = [await server.createSite(), await server.createSite()];
    const body = { email: 'ada@example.com' };
    const first = await site.post('/members', body, withKey('shared'));
    const elsewhere = await other.post('/members', body, withKey('shared'));
    expectResponse('createMember', elsewhere, 201);
    expect(replayed(elsewhere)).toBeNull();
    expect(elsewhere.body.data.id).not.toBe(first.body.data.id);
    const different = await other.post(
      '/members',
      { email: 'eve@example.com' },
      withKey('of the other'.replaceAll(' ', '-')),
    );
    expectResponse('createMember', different, 201);
  });

  test('an idempotency key belongs to the API key that first used it', async () => {
    const site = await server.createSite();
    const { secret } = await site.createKey();
    const body = { email: 'ada@example.com' };
    const first = await site.post('/members', body, withKey('k'));
    const before = await dumpSite(server.database, site.siteId);
    const other = await site.post('/members', body, { ...withKey('k'), authorization: `Bearer ${secret}` });
    const error = expectResponse('createMember', other, 422, 'idempotency_key_reused');
    expect(error.message).toContain('different body, path or API key');
    expect(await dumpSite(server.database, site.siteId)).toEqual(before);
    expect((await site.post('/members', body, withKey('k'))).text).toBe(first.text);
  });

  test('a rotated API key cannot read the stored response and gets an error', async () => {
    const site = await server.createSite();
    const old = await site.createKey();
    const send = (secret: string, key: string) =>
      site.post('/access-groups', { name: 'Course' }, { ...withKey(key), authorization: `Bearer ${secret}` });
    const first = await send(old.secret, 'k');
    expectResponse('createAccessGroup', first, 201);
    const validUntil = new Date(clock().getTime() + day).toISOString();
    const fresh = await changing(
      server.database,
      site.siteId,
      (change) => rotateApiKey(change, old.apiKey.id, validUntil),
      systemContext(clock().toISOString()),
    );
    expectResponse('createAccessGroup', await send(fresh.secret, 'k'), 422, 'idempotency_key_reused');
    expect((await send(old.secret, 'k')).text).toBe(first.text);
    expectResponse('createAccessGroup', await send(fresh.secret, 'new'), 409, 'access_group_name_taken');
  });

  test('a login link in a reply is not stored in plain text, and no other API key can get it', async () => {
    const site = await server.createSite();
    await aDomain(site);
    const { id } = await aMember(site);
    const permitted = await site.createKey({ permissions: ['members:write', 'login-links:write'] });
    const request = (secret: string) =>
      site.post(
        `/members/${id}/login-links`,
        { send: false },
        { ...withKey('k'), authorization: `Bearer ${secret}` },
      );
    const first = await request(permitted.secret);
    const { url } = expectResponse('createMemberLoginLink', first, 201).data;
    const store = JSON.stringify(await dumpStore(server.database));
    expect(store).not.toContain(url);
    expect(store).not.toContain(url.split('/').at(-1));

    const others = [
      [site.key, 422, 'idempotency_key_reused'],
      [(await site.createKey()).secret, 403, 'permission_denied'],
    ] as const;
    for (const [secret, status, code] of others) {
      const answer = await request(secret);
      expectResponse('createMemberLoginLink', answer, status, code);
      expect(answer.text).not.toContain(url);
    }
    expect((await request(permitted.secret)).text).toBe(first.text);
  });

  test('the stored data reveals nothing of a request or its reply', async () => {
    const site = await server.createSite();
    const body = { email: 'secret.person@example.com', displayName: 'Secret Person' };
    const created = await site.post('/members', body, withKey('first'));
    expectResponse('createMember', created, 201);
    const { id } = created.body.data;
    await site.post('/members', body, withKey('refused'));
    await site.post('/members/bulk', { members: [{ email: 'secret.other@example.com' }] }, withKey('bulk'));
    const { idempotency_keys: rows = [] } = await dumpSite(server.database, site.siteId);
    expect(rows).toHaveLength(3);
    for (const row of rows) expect(row).not.toMatch(new RegExp(`secret|${id}|email`, 'i'));
    const sent = `POST /members\n${JSON.stringify(body)}`;
    expect(rows.join()).not.toContain(hash('sha256', sent, 'base64url'));
  });

  test('the same request with two keys is stored as two unrelated responses', async () => {
    const site = await server.createSite();
    const member = await aMember(site);
    for (const key of ['one', 'two'])
      await site.post(`/members/${member.id}/login-links`, { send: true }, withKey(key));
    const rows = await server.database.all<{ response: string; fingerprint: string }>(
      sql`SELECT response, fingerprint FROM idempotency_keys WHERE site_id = ${site.siteId}`,
    );
    for (const column of ['response', 'fingerprint'] as const)
      expect(new Set(rows.map((row) => row[column])).size).toBe(2);
  });

  test('a stored response that was changed in the store is not returned', async () => {
    const site = await server.createSite();
    const body = { email: 'ada@example.com' };
    await site.post('/members', body, withKey('k'));
    await server.database.transaction((tx) =>
      tx.run(sql`UPDATE idempotency_keys SET response = substr(response, 2) WHERE site_id = ${site.siteId}`),
    );
    expectResponse('createMember', await site.post('/members', body, withKey('k')), 500, 'internal_error');
  });

  test('a key is valid for 24 hours', async () => {
    const site = await server.createSite();
    const body = { email: 'ada@example.com' };
    const first = await site.post('/members', body, withKey('k'));
    expectResponse('createMember', first, 201);
    advance(day - 60_000);
    const within = await site.post('/members', body, withKey('k'));
    expect(within.text).toBe(first.text);
    advance(60_000);
    const after = await site.post('/members', body, withKey('k'));
    expectResponse('createMember', after, 409, 'email_taken');
    expect(replayed(after)).toBeNull();
    // From now on the key belongs to the later request.
    const other = await site.post('/members', { email: 'eve@example.com' }, withKey('k'));
    expectResponse('createMember', other, 422, 'idempotency_key_reused');
  });

  test('two simultaneous requests with one key take effect once', async () => {
    const site = await server.createSite();
    const send = () => site.post('/access-groups', { name: 'Course' }, withKey('at-once'));
    const answers = await Promise.all(Array.from({ length: 8 }, send));
    const created = answers.filter(({ status }) => status === 201);
    expect(created.length).toBeGreaterThan(0);
    expect(new Set(created.map(({ text }) => text)).size).toBe(1);
    expect(created.filter((answer) => replayed(answer) === null)).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status !== 201) expectResponse('createAccessGroup', answer, 409, 'idempotency_in_progress');
    }
    expect(await everyItem(site, '/access-groups')).toHaveLength(1);
  });

  // SQLite has a single writer, so the second request waits for the first and gets its stored response.
  if (store.dialect === 'postgres')
    test('while the first request runs, the second gets an error that asks to retry', async () => {
      const site = await server.createSite();
      const body = { email: 'ada@example.com' };
      await server.database.transaction(async (tx) => {
        expect(await tx.tryLock(`idempotency ${site.siteId} k`)).toBe(true);
        const answer = await site.post('/members', body, withKey('k'));
        expectResponse('createMember', answer, 409, 'idempotency_in_progress');
        expectResponse('createMember', await site.post('/members', body, withKey('other')), 201);
      });
      expectResponse('createMember', await site.post('/members', body, withKey('k')), 409, 'email_taken');
    });

  test('the header is ignored for methods other than POST', async () => {
    const site = await server.createSite();
    const member = await aMember(site);
    for (const displayName of ['Ada', 'Grace']) {
      const answer = await site.patch(`/members/${member.id}`, { displayName }, withKey('k'));
      expect(expectResponse('updateMember', answer, 200).data.displayName).toBe(displayName);
      expect(replayed(answer)).toBeNull();
    }
  });
});

forEachStore((store) => {
  const server = useTestServer(store, { settings: { storedResponsesMebibytes: 1 } });

  test('the replies of a key take a limited space, and those that are stored are still returned', async () => {
    const site = await server.createSite();
    const members = Array.from({ length: 500 }, (_, number) => ({ email: `m${number}@example.com` }));
    const create = (key: string, headers: Record<string, string> = {}) =>
      site.post('/members/bulk', { members }, { ...headers, 'idempotency-key': key });
    const stored = [];
    for (let answer = await create('0'); answer.status !== 429; answer = await create(`${stored.length}`)) {
      expectResponse('bulkCreateMembers', answer, 207);
      stored.push(answer);
      expect(stored.length).toBeLessThan(20);
    }
    const before = await dumpSite(server.database, site.siteId);
    const refused = await create('new');
    const { message } = expectResponse('bulkCreateMembers', refused, 429, 'rate_limited');
    expect(message).toContain('Nothing was done');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
    for (const [index, first] of stored.entries()) {
      const again = await create(`${index}`);
      expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
    }
    expect(await dumpSite(server.database, site.siteId)).toEqual(before);
    expectResponse('bulkCreateMembers', await site.post('/members/bulk', { members }), 207);
    const { secret } = await site.createKey();
    expectResponse('bulkCreateMembers', await create('other', { authorization: `Bearer ${secret}` }), 207);
  });
});
