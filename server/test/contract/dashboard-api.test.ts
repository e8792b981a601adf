import { randomUUID } from 'node:crypto';
import type { OperationShape } from '@gatehouse/contract';
import {
  type DashboardOperation,
  type DashboardOperationId,
  dashboardApiPrefix,
  dashboardOperations,
} from '@gatehouse/contract/dashboard';
import { describe, expect, test } from 'vitest';
import { OperatorBrowser, operatorTenantOf } from '../operator.ts';
import { forEachStore, forOneStore } from '../stores.ts';
import { send, type TestServer } from '../test-server.ts';
import { useTestServer } from '../use-server.ts';
import { expectDashboardAnswer, expectDashboardError } from './answers.ts';
import {
  aPasskey,
  aSiteOwner,
  type Circumstances,
  dashboardPath,
  everyDashboardOperation,
  type ReadyDashboardRequest,
  readyDashboardRequest,
  sendDashboardRequest,
} from './dashboard-requests.ts';
import { dumpSite } from './dump.ts';
import { untilEmailsRest } from './resting-emails.ts';

const operationOf = (id: DashboardOperationId): DashboardOperation => dashboardOperations[id];
const having = (has: (operation: DashboardOperation) => boolean) =>
  everyDashboardOperation.filter((id) => has(operationOf(id)));
const changing = having(({ method }) => method !== 'GET');
const withBody = having(({ body }) => body !== null);
const withId = having(({ params }) => Object.keys(params.properties).length > 0);

/** Requests to a server, each with an owner and a site of its own. */
function requestsTo(server: TestServer) {
  async function dump({ site }: Circumstances) {
    const tenant = await operatorTenantOf(server);
    return [await dumpSite(server.database, tenant.id), await dumpSite(server.database, site.siteId)];
  }

  /** A request that succeeds, and a dump of the site and of all operators taken before it. */
  return async function given(id: DashboardOperationId) {
    const circumstances = await aSiteOwner(server);
    const request = await readyDashboardRequest(id, circumstances);
    await untilEmailsRest(server.database, (await operatorTenantOf(server)).id);
    const before = await dump(circumstances);
    const expectNothingDone = async () => expect(await dump(circumstances)).toEqual(before);
    return { ...circumstances, request, expectNothingDone };
  };
}

forEachStore((store) => {
  const server = useTestServer(store);
  const given = requestsTo(server);

  test.each(everyDashboardOperation)('%s responds as the contract says', async (id) => {
    const { request } = await given(id);
    const answer = await sendDashboardRequest(request);
    expectDashboardAnswer(id, answer, operationOf(id).success.status);
  });

  describe('an ID in the path', () => {
    test.each(withId)('may be in upper case: %s', async (id) => {
      const { request } = await given(id);
      const path = request.path.replace(/[^/]+$/, (each) => each.toUpperCase());
      const answer = await sendDashboardRequest({ ...request, path });
      expectDashboardAnswer(id, answer, operationOf(id).success.status);
    });

    test('of another operator has no effect', async () => {
      const { operator, browser } = await twoOperators(server);
      const { id: passkeyId } = await aPasskey(operator);
      const passkey = await browser.request('DELETE', dashboardPath('deletePasskey', { passkeyId }));
      expectDashboardAnswer('deletePasskey', passkey, 404, 'passkey_not_found');
      const { sessionId } = operator;
      const session = await browser.request('DELETE', dashboardPath('endOwnSession', { sessionId }));
      expectDashboardAnswer('endOwnSession', session, 204);
      expectDashboardAnswer('getMe', await operator.browser.request('GET', dashboardPath('getMe')), 200);
      const { data } = (await operator.browser.request('GET', dashboardPath('listPasskeys'))).body;
      expect(data).toMatchObject([{ id: passkeyId }]);
    });
  });

  describe('an error of the store', () => {
    test('has the code of the contract', async () => {
      const { operator, request } = await given('createSite');
      const { slug, title, domain } = request.body as Record<string, string>;
      expectDashboardAnswer('createSite', await sendDashboardRequest(request), 201);
      const create = (body: object) => operator.browser.request('POST', dashboardPath('createSite'), body);
      const other = `s-${randomUUID()}`;
      expectDashboardAnswer('createSite', await create({ slug, title }), 409, 'site_slug_taken');
      const sameDomain = await create({ slug: other, title, domain });
      expectDashboardAnswer('createSite', sameDomain, 409, 'site_domain_taken');
      for (const wrong of [{ slug: 'A B' }, { title: 'x'.repeat(101) }, { domain: 'a b' }]) {
        const answer = await create({ slug: other, title, ...wrong });
        const { details } = expectDashboardAnswer('createSite', answer, 400, 'invalid_request');
        expect(details).toMatchObject([{ path: `/${Object.keys(wrong)[0]}` }]);
      }
      expectDashboardAnswer('createSite', await create({ slug: other, title, domain: null }), 201);
    });

    test('an operator gets no token for a site without a role', async () => {
      const { operator } = await aSiteOwner(server);
      const { siteId } = await server.createSite();
      const answer = await operator.browser.request('POST', dashboardPath('createOperatorToken'), {
        siteId,
      });
      expectDashboardAnswer('createOperatorToken', answer, 403, 'permission_denied');
    });

    test('a passkey challenge can be used once, and only for its purpose', async () => {
      const added = await given('addPasskey');
      expectDashboardAnswer('addPasskey', await sendDashboardRequest(added.request), 201);
      const again = await sendDashboardRequest(added.request);
      expectDashboardAnswer('addPasskey', again, 400, 'invalid_request');
      const { request, operator } = await given('logInWithPasskey');
      const answer = expectDashboardAnswer('logInWithPasskey', await sendDashboardRequest(request), 200);
      expect(answer).toEqual({ data: { next: '/dashboard/academy/members' } });
      const me = await request.browser.request('GET', dashboardPath('getMe'));
      expect(expectDashboardAnswer('getMe', me, 200).data.operator.id).toBe(operator.personId);
      expectDashboardAnswer('logInWithPasskey', await sendDashboardRequest(request), 400, 'invalid_request');
    });
  });
});

// What is wrong with a request itself is found before an operation uses the store.
forOneStore((store) => {
  const server = useTestServer(store);
  const given = requestsTo(server);

  describe.each(everyDashboardOperation)('%s', (id) => {
    test('rejects an unknown parameter, and does nothing', async () => {
      const { request, expectNothingDone } = await given(id);
      const path = `${request.path}${request.path.includes('?') ? '&' : '?'}unknown=1`;
      const answer = await sendDashboardRequest({ ...request, path });
      const { details } = expectDashboardAnswer(id, answer, 400, 'invalid_request');
      expect(details).toMatchObject([{ path: '/unknown' }]);
      await expectNothingDone();
    });

    test('works only for the operator to whom the page belongs', async () => {
      const { request, operator, expectNothingDone } = await given(id);
      const headers = { 'x-gatehouse-operator': randomUUID() };
      const answer = await operator.browser.request(request.method, request.path, request.body, headers);
      expectDashboardAnswer(id, answer, 409, 'other_operator');
      await expectNothingDone();
    });

    test('rejects other methods at its path', async () => {
      const { request, operator } = await given(id);
      const path = request.path.split('?')[0]!;
      const taken = having((other) => pathForm(other).test(path)).map((each) => operationOf(each).method);
      const allow = taken.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'] as const) {
        if ((taken as string[]).includes(method)) continue;
        const body = method === 'OPTIONS' ? undefined : {};
        const answer = await operator.browser.request(method, path, body);
        expectDashboardError(answer, 405, 'method_not_allowed');
        expect(answer.headers.get('allow')).toBe(allow);
      }
    });
  });

  describe.each(having(({ loggedOut }) => !loggedOut))('%s', (id) => {
    test('is denied without a session', async () => {
      const { request, expectNothingDone } = await given(id);
      const answer = await sendDashboardRequest({ ...request, browser: new OperatorBrowser(server) });
      expectDashboardAnswer(id, answer, 401, 'logged_out');
      await expectNothingDone();
    });
  });

  describe.each(changing)('%s', (id) => {
    test('is denied for pages of other sites', async () => {
      const { request, expectNothingDone } = await given(id);
      for (const foreign of [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:8080' },
        { 'sec-fetch-site': 'same-site' },
      ] as Record<string, string>[]) {
        expectDashboardAnswer(id, await sendDashboardRequest(request, foreign), 403, 'permission_denied');
      }
      await expectNothingDone();
    });
  });

  describe.each(withBody)('%s', (id) => {
    test('rejects everything that a form can send', async () => {
      const { request, expectNothingDone } = await given(id);
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
        const answer = await sendDashboardRequest(request, { 'content-type': type });
        expectDashboardAnswer(id, answer, 415, 'unsupported_media_type');
      }
      const untyped = await sendDashboardRequest({ ...request, body: undefined });
      expectDashboardAnswer(id, untyped, 415, 'unsupported_media_type');
      await expectNothingDone();
    });

    test('rejects a body that is not JSON, is ambiguous or too large', async () => {
      const { request, expectNothingDone } = await given(id);
      for (const body of ['', '{', '[1,]', '{"a":1,"a":1}', '{"__proto__":1}']) {
        const answer = await sendDashboardRequest({ ...request, body });
        expectDashboardAnswer(id, answer, 400, 'invalid_json');
      }
      const large = `{"x":"${'x'.repeat(1024 * 1024)}"}`;
      expectDashboardAnswer(
        id,
        await sendDashboardRequest({ ...request, body: large }),
        413,
        'body_too_large',
      );
      await expectNothingDone();
    });

    test('rejects and names every field that is missing, unknown, of another type or too long', async () => {
      const { request, expectNothingDone } = await given(id);
      for (const { body, path } of wrongBodies(operationOf(id), request)) {
        const answer = await sendDashboardRequest({ ...request, body });
        const { details } = expectDashboardAnswer(id, answer, 400, 'invalid_request');
        expect(details, JSON.stringify(body).slice(0, 300)).toMatchObject([{ path }]);
      }
      await expectNothingDone();
    });
  });

  describe('an ID in the path', () => {
    test.each(withId)('that is malformed is rejected: %s', async (id) => {
      const { request } = await given(id);
      const [name] = Object.keys(operationOf(id).params.properties);
      for (const malformed of ['x', '%00', 'urn:uuid:01980a3e-7c1b-7d42-9f3a-2b6c4d5e6f70']) {
        const path = dashboardPath(id, { [name!]: malformed });
        const answer = await sendDashboardRequest({ ...request, path });
        const { details } = expectDashboardAnswer(id, answer, 400, 'invalid_request');
        expect(details).toMatchObject([{ path: `/${name}` }]);
      }
    });
  });

  describe('an unknown path', () => {
    test.each(['nothing', 'me/', 'sessions//', 'passkeys/options/x', 'ME'])(
      'is not found: %s',
      async (path) => {
        const { operator } = await aSiteOwner(server);
        for (const method of ['GET', 'POST', 'DELETE']) {
          const body = method === 'POST' ? {} : undefined;
          expectDashboardError(await operator.browser.request(method, path, body), 404, 'not_found');
        }
        const loggedOut = await new OperatorBrowser(server).request('GET', path);
        expectDashboardError(loggedOut, 401, 'logged_out');
        const headers = { 'x-gatehouse-operator': randomUUID() };
        expectDashboardError(
          await operator.browser.request('GET', path, undefined, headers),
          409,
          'other_operator',
        );
      },
    );
  });

  test.each(having(({ method }) => method === 'GET'))('HEAD is answered like GET: %s', async (id) => {
    const { request } = await given(id);
    const answer = await sendDashboardRequest({ ...request, method: 'HEAD' });
    expect([answer.status, answer.text]).toEqual([200, '']);
  });

  test('a path with invalid percent-encoding gets an error response of the same form', async () => {
    const broken = await send(`${server.address}${dashboardApiPrefix}/sessions/%E0%A4%A`, 'DELETE');
    expectDashboardError(broken, 400, 'invalid_request');
  });
});

async function twoOperators(server: TestServer) {
  const [{ operator }, { operator: other }] = [await aSiteOwner(server), await aSiteOwner(server)];
  return { operator, browser: other.browser };
}

/** Bodies that each break one rule of the operation's shape, and the path that the error names. */
function wrongBodies({ body }: OperationShape, request: ReadyDashboardRequest) {
  const right = request.body as Record<string, unknown>;
  const { properties = {}, required = [] } = body as Shape;
  const wrong: { body: unknown; path: string }[] = [
    { body: [], path: '' },
    { body: null, path: '' },
    { body: { ...right, unknown: 1 }, path: '/unknown' },
  ];
  for (const [name, { type, maxLength }] of Object.entries(properties)) {
    const path = `/${name}`;
    const other = [type].flat().includes('string') ? 5 : 'text';
    wrong.push({ body: { ...right, [name]: other }, path }, { body: { ...right, [name]: [] }, path });
    if (maxLength !== undefined) wrong.push({ body: { ...right, [name]: 'x'.repeat(maxLength + 1) }, path });
    if (required.includes(name)) {
      const { [name]: _, ...rest } = right;
      wrong.push({ body: rest, path });
    }
  }
  return wrong;
}

interface Shape {
  readonly properties?: Readonly<Record<string, { type: string | string[]; maxLength?: number }>>;
  readonly required?: readonly string[];
}

function pathForm({ path }: OperationShape): RegExp {
  return new RegExp(`^${path.slice(1).replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}
