import {
  defaultPermissions,
  grants,
  type Operation,
  type OperationId,
  operations,
  permissions,
} from '@gatehouse/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { generateKey } from '../../src/domain/api-keys/api-key.ts';
import { revokeApiKey } from '../../src/domain/api-keys/api-keys.ts';
import { changing } from '../change.ts';
import { hour, movableTime } from '../movable-time.ts';
import { forEachStore, isFirstStore } from '../stores.ts';
import { send, type TestResponse, type TestSite } from '../test-server.ts';
import { useTestServer } from '../use-server.ts';
import { expectResponse, withoutIds } from './answers.ts';
import { type Dump, dumpSite } from './dump.ts';
import { operationsWithKey, pathOf, type ReadyRequest, readyRequest, sendReady } from './requests.ts';

/** A key is looked up in the same way for every operation: these show it on each store, by reading and each kind of change. */
const onEachStore: readonly OperationId[] = [
  'getSite',
  'listMembers',
  'createMember',
  'updateMember',
  'replaceAccessRules',
  'deleteMember',
];

forEachStore((store) => {
  const { clock, advance } = movableTime();
  const server = useTestServer(store, { clock });
  let revoked: string;
  let expired: string;

  beforeAll(async () => {
    const site = await server.createSite();
    const key = await site.createKey();
    revoked = key.secret;
    await revoke(site, key.apiKey.id);
    const expiresAt = new Date(clock().getTime() + hour).toISOString();
    expired = (await site.createKey({ expiresAt })).secret;
    expectResponse('getSite', await site.get('/site', { authorization: `Bearer ${expired}` }), 200);
    advance(hour);
  });

  async function revoke({ siteId }: TestSite, keyId: string) {
    await changing(server.database, siteId, (change) => revokeApiKey(change, keyId));
  }

  /** Different values of the header that do not authenticate. */
  function invalidCredentials(site: TestSite): Record<string, string> {
    const unknown = generateKey();
    return {
      unknown: `Bearer ${unknown}`,
      revoked: `Bearer ${revoked}`,
      expired: `Bearer ${expired}`,
      'with a wrong checksum': `Bearer ${unknown.slice(0, -1)}${unknown.endsWith('0') ? '1' : '0'}`,
      'cut short': `Bearer ${site.key.slice(0, -1)}`,
      'made longer': `Bearer ${site.key}0`,
      'in upper case': `Bearer ${site.key.toUpperCase()}`,
      'with another prefix': `Bearer ${site.key.replace('gate_', 'door_')}`,
      'two in one header': `Bearer ${site.key}, Bearer ${site.key}`,
      'of an unknown operator': `Bearer gateop_${'A'.repeat(43)}`,
      'of an operator, cut short': `Bearer gateop_${'A'.repeat(42)}`,
      'of another scheme': `Basic ${Buffer.from(`${site.key}:`).toString('base64')}`,
      'the key alone': site.key,
      'the scheme alone': 'Bearer',
      empty: '',
    };
  }

  function sendWith(request: ReadyRequest, authorization: string | undefined, body = request.body) {
    return send(`${server.apiUrl}${request.path}`, request.method, {
      ...(body === undefined ? {} : { body }),
      headers: authorization === undefined ? {} : { authorization },
    });
  }

  // What follows from the key is decided before the store is used: for all operations on the first store.
  describe.each(isFirstStore(store) ? operationsWithKey : onEachStore)('%s', (operationId) => {
    const { permission, success }: Operation = operations[operationId];
    let site: TestSite;
    let request: ReadyRequest;
    /** A key with every permission except that of the operation. */
    let weakKey: string;
    let before: Dump;
    beforeAll(async () => {
      site = await server.createSite();
      request = await readyRequest(operationId, site);
      const others = permissions.filter((each) => !grants([each], permission!));
      weakKey = (await site.createKey({ permissions: others })).secret;
      before = await dumpSite(server.database, site.siteId);
    });

    test('requires a key, and does nothing without one', async () => {
      expectResponse(operationId, await sendWith(request, undefined), 401, 'missing_api_key');
      expect(await dumpSite(server.database, site.siteId)).toEqual(before);
    });

    test('rejects every invalid key with the same message, and does nothing', async () => {
      const texts = new Map<string, string>();
      for (const [kind, authorization] of Object.entries(invalidCredentials(site))) {
        const answer = await sendWith(request, authorization);
        const code = kind === 'empty' ? answer.body.error.code : 'invalid_api_key';
        expectResponse(operationId, answer, 401, code);
        if (kind !== 'empty') texts.set(withoutIds(answer).text, kind);
      }
      expect([...texts.values()]).toHaveLength(1);
      expect(await dumpSite(server.database, site.siteId)).toEqual(before);
    });

    test('names the permission that a key lacks, before it checks the body, and does nothing', async () => {
      const answer = await sendWith(request, `Bearer ${weakKey}`);
      expect(expectResponse(operationId, answer, 403, 'permission_denied').message).toContain(permission);
      if (request.body !== undefined) {
        expectResponse(
          operationId,
          await sendWith(request, `Bearer ${weakKey}`, '{'),
          403,
          'permission_denied',
        );
      }
      expect(await dumpSite(server.database, site.siteId)).toEqual(before);
    });

    test('needs no permission except its own', async () => {
      const { secret } = await site.createKey({
        permissions: [permission!, ...(request.furtherPermissions ?? [])],
      });
      expectResponse(operationId, await sendWith(request, `Bearer ${secret}`), success.status);
    });

    test('needs the permission for GET for HEAD too', async () => {
      if (operations[operationId].method !== 'GET') return;
      const head = { ...request, method: 'HEAD' };
      expect((await sendWith(head, `Bearer ${weakKey}`)).status).toBe(403);
      expect((await sendWith(head, undefined)).status).toBe(401);
      expect((await sendReady(site, head)).status).toBe(success.status);
    });
  });

  test('the responses to invalid keys do not differ in any revealing header', async () => {
    const site = await server.createSite();
    const visibleParts = (answer: TestResponse) =>
      [...answer.headers].filter(([name]) => !/^(date|x-request-id|ratelimit|x-ratelimit-.*)$/.test(name));
    const [first, ...rest] = await Promise.all(
      Object.values(invalidCredentials(site)).map((authorization) => site.get('/site', { authorization })),
    );
    for (const answer of rest) {
      if (answer.body.error.code === 'invalid_api_key')
        expect(visibleParts(answer)).toEqual(visibleParts(first!));
    }
  });

  test('the scheme may be in uppercase or lowercase, with any number of spaces before the key', async () => {
    const site = await server.createSite();
    for (const authorization of [`bearer ${site.key}`, `BEARER ${site.key}`, `Bearer   ${site.key} `]) {
      expectResponse('getSite', await site.get('/site', { authorization }), 200);
    }
  });

  test('a key in the URL is ignored', async () => {
    const site = await server.createSite();
    const answer = await send(`${server.apiUrl}/site?api_key=${site.key}&access_token=${site.key}`, 'GET');
    expectResponse('getSite', answer, 401, 'missing_api_key');
  });

  test('a key is rejected as soon as it is revoked', async () => {
    const site = await server.createSite();
    const { apiKey, secret } = await site.createKey();
    const authorization = `Bearer ${secret}`;
    expectResponse('getSite', await site.get('/site', { authorization }), 200);
    await revoke(site, apiKey.id);
    // The notice reaches another process after a moment.
    await expect.poll(async () => (await site.get('/site', { authorization })).status).toBe(401);
    expectResponse('getSite', await site.get('/site'), 200);
  });

  test('a key is valid until it expires', async () => {
    const site = await server.createSite();
    const expiresAt = new Date(clock().getTime() + hour).toISOString();
    const { secret } = await site.createKey({ expiresAt });
    const authorization = `Bearer ${secret}`;
    expectResponse('getSite', await site.get('/site', { authorization }), 200);
    advance(hour);
    expectResponse('getSite', await site.get('/site', { authorization }), 401, 'invalid_api_key');
  });

  test('a new key has every permission except those to act as any member and to manage all members', async () => {
    const site = await server.createSite();
    const { apiKey } = await site.createKey();
    expect(apiKey.permissions).toEqual(defaultPermissions);
    const left = permissions.filter((each) => !apiKey.permissions.includes(each));
    expect(left).toEqual([
      'webhooks:read',
      'webhooks:write',
      'sources:write',
      'login-links:write',
      'login-providers:write',
      'api-keys:read',
      'api-keys:write',
      'operators:read',
      'operators:write',
      'emails:read',
      'invitations:read',
      'invitations:write',
      'join-requests:read',
      'join-requests:write',
    ]);
  });

  test('the store has only a hash of a key', async () => {
    const site = await server.createSite();
    const text = JSON.stringify(await dumpSite(server.database, site.siteId));
    expect(text).toContain(site.keyId);
    expect(text).not.toContain(site.key);
    expect(text).not.toContain(site.key.slice('gate_'.length, 20));
  });

  test('the OpenAPI document is available without a key, and with any key', async () => {
    const site = await server.createSite();
    const path = pathOf('getOpenApi');
    for (const authorization of [undefined, ...Object.values(invalidCredentials(site))]) {
      const request = { operationId: 'getOpenApi', method: 'GET', path } as const;
      expectResponse('getOpenApi', await sendWith(request, authorization), 200);
    }
  });
});
