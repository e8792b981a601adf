import {
  furtherPermissionsFor,
  type Operation,
  type OperationId,
  operations,
  permissions,
} from '@gatehouse/contract';
import { describe, expect, test, vi } from 'vitest';
import { forEachStore, forOneStore } from '../stores.ts';
import type { TestSite } from '../test-server.ts';
import { useTestServer } from '../use-server.ts';
import { formKeyIn } from '../visitor.ts';
import { expectResponse } from './answers.ts';
import { type Dump, dumpSite, tablesWithSite } from './dump.ts';
import { aMember, aSession } from './given.ts';
import { type LastingCase, lastingEffects, tables } from './lasting-effects.ts';
import { type ReadyRequest, readyRequest, sendReady } from './requests.ts';

const changing = Object.values<Operation>(operations).filter(
  ({ method, readOnly }) => method !== 'GET' && !readOnly,
);

const everyCase = changing.flatMap(({ id }) => {
  const operationId = id as OperationId;
  return (lastingEffects[operationId] ?? []).map((each) => ({
    ...each,
    operationId,
    title: each.title === undefined ? id : `${id} ${each.title}`,
  }));
});

const minute = 60_000;
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * minute).toISOString();
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

async function requestOf(operationId: OperationId, make: LastingCase['make'], site: TestSite) {
  const ready = await readyRequest(operationId, site);
  const request: ReadyRequest = { ...ready, ...(await make?.(site)) };
  const further = [
    ...(ready.furtherPermissions ?? []),
    ...(request.furtherPermissions ?? []),
    ...furtherPermissionsFor(operations[operationId], request.body),
  ];
  return { request, needed: [operations[operationId].permission!, ...further] };
}

/** The rows that grant, act or receive, and that were not there before or have changed. */
function newRows(before: Dump, after: Dump): Record<string, unknown>[] {
  return Object.entries(after)
    .filter(([table]) => tables[table] !== 'data')
    .flatMap(([table, rows]) => rows.filter((row) => !before[table]!.includes(row)))
    .map((row) => JSON.parse(row));
}

forEachStore((store) => {
  const server = useTestServer(store);

  test('every table is known to do something without a key or not', async () => {
    const unknown = (await tablesWithSite(server.database)).filter((table) => !(table in tables));
    expect(unknown).toEqual([]);
  });

  describe('after the end of a key', () => {
    test.each(everyCase)('what remains of $title: $remains', async ({ operationId, make, remains }) => {
      const site = await server.createSite();
      const { request, needed } = await requestOf(operationId, make, site);
      // Less than a login link works.
      const end = inMinutes(4);
      const { secret } = await site.createKey({ permissions: needed, expiresAt: end });
      const before = await dumpSite(server.database, site.siteId);
      const answer = await sendReady(site, request, bearer(secret));
      const after = await dumpSite(server.database, site.siteId);
      if (remains === 'refused') {
        const { message } = expectResponse(operationId, answer, 403, 'permission_denied');
        expect(message).toContain(end);
        expect(after).toEqual(before);
        return;
      }
      expectResponse(operationId, answer, operations[operationId].success.status);
      const rows = newRows(before, after).filter(
        (row) => !isByEmail(request, row) && !isOwnSource(row) && !row.revoked_at,
      );
      if (remains === 'ends with the key') expect(rows).toHaveLength(1);
      for (const row of rows) {
        expect(Date.parse(endOf(row)), JSON.stringify(row)).toBeLessThanOrEqual(Date.parse(end));
      }
    });

    /** A source that is not on schedule only waits for a token of its workspace. */
    const endOf = (row: Record<string, unknown>): string =>
      row.type === 'notion' && !row.enabled
        ? JSON.parse(row.settings as string).webhookAwaitedUntil
        : (row.expires_at as string);

    /** A link that is sent to the mailbox of a person gives nothing to who had the key. */
    const isByEmail = ({ operationId, body }: ReadyRequest, row: object) =>
      operationId === 'sendInvitation' ||
      ((operationId === 'resendEmail' || (body as { send?: boolean } | undefined)?.send === true) &&
        'token_hash' in row &&
        !('last_seen_at' in row));

    /** A source that does nothing by itself. */
    const isOwnSource = (row: Record<string, unknown>) =>
      row.type === 'program' || ('interval_minutes' in row && !row.enabled);

    test('the same requests of a key without an end succeed', async () => {
      for (const { operationId, make } of everyCase.filter((each) => each.remains === 'refused')) {
        const site = await server.createSite();
        const { request } = await requestOf(operationId, make, site);
        const { secret } = await site.createKey({ permissions });
        expectResponse(
          operationId,
          await sendReady(site, request, bearer(secret)),
          operations[operationId].success.status,
        );
      }
    });

    test('a session that began with a link of the key ends too, with all that it makes', async () => {
      const site = await server.createSite();
      await site.patch('/site', { membersCreateTokens: true });
      const { id } = await aMember(site);
      const end = inMinutes(60);
      const { secret } = await site.createKey({
        permissions: ['login-links:send', 'login-links:write'],
        expiresAt: end,
      });
      const { token } = await aSession(site, id, secret);
      const headers = { cookie: `__Host-gatehouse_session=${token}` };
      const formKey = formKeyIn((await site.visit('GET', '/_gatehouse/account', { headers })).text);
      const created = await site.visit('POST', '/_gatehouse/account/access-tokens', {
        headers,
        form: { name: 'Reader', days: '', shownAt: new Date().toISOString(), formKey },
      });
      expect(created.status).toBe(200);
      const [session] = (await site.get(`/members/${id}/sessions`)).body.data;
      const [accessToken] = (await site.get(`/members/${id}/access-tokens`)).body.data;
      expect([session.expiresAt, accessToken.expiresAt]).toEqual([end, end]);
      // Nor does it change the way in: with a passkey, an account or another address, somebody could come back.
      const email = `thief-${id}@example.org`;
      await site.visit('POST', '/_gatehouse/account/address', { headers, form: { email, formKey } });
      const { text } = await site.visit('GET', '/_gatehouse/account', { headers });
      expect(text).toContain('Log in again');
      expect(text).not.toContain(email);
      expect(text).not.toContain('name="email"');
    });
  });
});

forOneStore((store) => {
  const server = useTestServer(store);

  test('every operation that changes something says what remains', () => {
    expect(Object.keys(lastingEffects).sort()).toEqual(changing.map(({ id }) => id).sort());
  });

  test('an access token gets the end of the key by default, and none that is later', async () => {
    const site = await server.createSite();
    const { id } = await aMember(site);
    const end = inMinutes(60);
    const { secret } = await site.createKey({ permissions: ['login-links:write'], expiresAt: end });
    const create = (values: object) =>
      site.post(`/members/${id}/access-tokens`, { name: 'Reader', ...values }, bearer(secret));
    const byDefault = expectResponse('createAccessToken', await create({}), 201).data;
    expect(byDefault.expiresAt).toBe(end);
    const earlier = inMinutes(30);
    const ended = expectResponse('createAccessToken', await create({ expiresAt: earlier }), 201).data;
    expect(ended.expiresAt).toBe(earlier);
    for (const expiresAt of [null, inMinutes(61)]) {
      const refused = await create({ expiresAt });
      const { message } = expectResponse('createAccessToken', refused, 403, 'permission_denied');
      expect(message).toContain(end);
    }
  });

  test('the body of a delivery is shown only to who may read events', async () => {
    const site = await server.createSite();
    const { path } = await readyRequest('getWebhookDelivery', site);
    const { secret } = await site.createKey({ permissions: ['webhooks:read'] });
    const readDelivery = async (headers?: Record<string, string>) =>
      expectResponse('getWebhookDelivery', await site.get(path, headers), 200).data;
    // An attempt may end between the two requests.
    await vi.waitFor(
      async () => {
        const shown = await readDelivery();
        expect(shown.requestBody).toContain('webhook.test');
        expect(await readDelivery(bearer(secret))).toEqual({ ...shown, requestBody: null });
      },
      { timeout: 20_000 },
    );
  });
});
