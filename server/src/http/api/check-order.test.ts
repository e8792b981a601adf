import { expect, test } from 'vitest';
import { expectError, expectResponse } from '../../../test/contract/answers.ts';
import { aMember, unknownId } from '../../../test/contract/given.ts';
import { forOneStore } from '../../../test/stores.ts';
import { send } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';

// Each request is wrong in several ways; the first check in the contract's order decides the answer. That a key's
// limit is checked before its permission, and its permission before the body, is tested in rate-limit.test.ts and
// credentials.test.ts.
const text = { 'content-type': 'text/plain' };
const broken = '{"mail":';

forOneStore((store) => {
  const server = useTestServer(store);

  test('the key comes before the media type, the JSON and the shape', async () => {
    for (const headers of [{}, text]) {
      for (const body of [broken, '{}']) {
        const url = `${server.apiUrl}/members`;
        expectResponse('createMember', await send(url, 'POST', { body, headers }), 401, 'missing_api_key');
        const wrong = { ...headers, authorization: 'Bearer gate_wrong' };
        expectResponse(
          'createMember',
          await send(url, 'POST', { body, headers: wrong }),
          401,
          'invalid_api_key',
        );
      }
    }
  });

  test('the key comes before a malformed ID and an unknown parameter', async () => {
    const answer = await send(`${server.apiUrl}/members/nonsense?x=1`, 'GET');
    expectResponse('getMember', answer, 401, 'missing_api_key');
  });

  test('the key comes before unknown paths and methods', async () => {
    for (const [method, path] of [
      ['GET', '/nothing'],
      ['PUT', '/members'],
      ['GET', '/members/x/y'],
    ] as const) {
      expectError(await send(server.apiUrl + path, method), 401, 'missing_api_key');
    }
  });

  test('the permission comes before a malformed ID and an unknown parameter', async () => {
    const site = await server.createSite(['site:read']);
    expectResponse('getMember', await site.get('/members/nonsense?x=1'), 403, 'permission_denied');
    expectResponse('listMembers', await site.get('/members?limit=0'), 403, 'permission_denied');
  });

  test('the media type comes before the JSON', async () => {
    const site = await server.createSite();
    expectResponse('createMember', await site.post('/members', broken, text), 415, 'unsupported_media_type');
  });

  test('the media type and the JSON come before the shape, including that of the path', async () => {
    const site = await server.createSite();
    const path = '/members/nonsense?x=1';
    expectResponse('updateMember', await site.patch(path, '{}', text), 415, 'unsupported_media_type');
    expectResponse('updateMember', await site.patch(path, broken), 400, 'invalid_json');
    expectResponse('updateMember', await site.patch(path, {}), 400, 'invalid_request');
  });

  test('the shape comes before the operation runs', async () => {
    const site = await server.createSite();
    const path = `/members/${unknownId()}`;
    expectResponse('updateMember', await site.patch(path, { verified: true }), 400, 'invalid_request');
    expectResponse('updateMember', await site.patch(path, { paid: true }), 404, 'member_not_found');
  });

  test('the shape comes before the idempotency key', async () => {
    const site = await server.createSite();
    const headers = { 'idempotency-key': 'k'.repeat(256) };
    const error = expectResponse(
      'createMember',
      await site.post('/members', {}, headers),
      400,
      'invalid_request',
    );
    expect(error.details).toEqual([{ path: '/email', message: 'email is missing. Add it.' }]);
  });

  test('If-Match comes before the values of the change', async () => {
    const site = await server.createSite();
    const [member, other] = [await aMember(site), await aMember(site)];
    const change = { email: other.email };
    const answer = await site.patch(`/members/${member.id}`, change, { 'if-match': '"another"' });
    expectResponse('updateMember', answer, 412, 'precondition_failed');
  });
});
