import { type Operation, operations } from '@gatehouse/contract';
import { describe, expect, test } from 'vitest';
import { expectError, expectEveryHeader, expectResponse } from '../../../test/contract/answers.ts';
import { unknownId } from '../../../test/contract/given.ts';
import { everyOperation, readyRequest, sendReady } from '../../../test/contract/requests.ts';
import { forOneStore } from '../../../test/stores.ts';
import { send } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';

const byPath = Map.groupBy(Object.values<Operation>(operations), ({ path }) => path);
/** The methods of other paths that match this one: `/members/bulk` looks like the path of a member. */
function methodsOfSimilar(template: string): string[] {
  const similar = [...byPath].filter(([path]) => {
    const form = path.replaceAll(/\{\w+\}/g, '[^/]+');
    return path !== template && !template.includes('{') && new RegExp(`^${form}$`).test(template);
  });
  return similar.flatMap(([, itsOperations]) => methodsOf(itsOperations));
}

function methodsOf(operations: readonly Operation[]): string[] {
  return operations.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
}

const gets = everyOperation.filter((id) => operations[id].method === 'GET');

forOneStore((store) => {
  const server = useTestServer(store);

  describe.each([...byPath])('%s', (template, itsOperations) => {
    const path = template.replaceAll(/\{\w+\}/g, unknownId());
    const methods = methodsOf(itsOperations);
    const similar = methodsOfSimilar(template);

    test.each(
      ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((each) => !methods.includes(each)),
    )('rejects %s, and lists the supported methods', async (method) => {
      const site = await server.createSite();
      const answer = await site.request(method, path);
      // These methods report a malformed ID.
      if (similar.includes(method)) return expect([400, 415]).toContain(answer.status);
      if (method === 'HEAD') expect(answer.status).toBe(405);
      else expectError(answer, 405, 'method_not_allowed');
      const allowed = answer.headers.get('allow')!.split(', ');
      expect(allowed.sort()).toEqual([...methods, ...similar].toSorted());
    });
  });

  test.each([
    '/nothing',
    '/site/',
    '/Members',
    '/members/bulk/more',
    `/members/${unknownId()}/access-groups`,
    '/sites',
    '/members%2fbulk',
    '//members',
    '/members;limit=1',
    '/%00/x',
  ])('%s does not exist', async (path) => {
    const site = await server.createSite();
    const answer = await site.request('GET', path);
    expectError(answer, 404, 'not_found');
  });

  test.each([
    '/',
    '/api',
    '/api/v1',
    '/api/v2/members',
    '/members',
    '/docs/',
    '/docs/other.js',
    '/favicon.ico',
  ])('%s does not exist, with or without a key', async (path) => {
    const site = await server.createSite();
    expectError(await send(server.address + path, 'GET'), 404, 'not_found');
    const headers = { authorization: `Bearer ${site.key}` };
    expectError(await send(server.address + path, 'GET', { headers }), 404, 'not_found');
    expectError(await send(server.address + path, 'POST', { body: {} }), 404, 'not_found');
  });

  test('an empty ID is malformed', async () => {
    const site = await server.createSite();
    expectResponse('getMember', await site.get('/members/'), 400, 'invalid_request');
    expectResponse('deleteMember', await site.delete('/members/'), 400, 'invalid_request');
    const path = `/access-groups/${unknownId()}/members/`;
    expectResponse('removeAccessGroupMember', await site.delete(path), 400, 'invalid_request');
  });

  test('a path with invalid percent-encoding is rejected', async () => {
    const site = await server.createSite();
    for (const path of ['/members/%', '/members/%zz', '/members/%c3%28', '/%ff']) {
      expectError(await site.get(path), 400, 'invalid_request');
    }
  });

  test('a path may be percent-encoded', async () => {
    const site = await server.createSite();
    expectResponse('listMembers', await site.get('/%6dembers'), 200);
  });

  describe.each(gets)('HEAD %s', (operationId) => {
    test('is answered like GET, without the body', async () => {
      const site = await server.createSite();
      const request = await readyRequest(operationId, site);
      // The first use of the key is recorded beside its request, and changes the list of keys.
      const lastUsedAt = async () => (await site.get('/api-keys')).body.data[0].lastUsedAt;
      await expect.poll(lastUsedAt, { interval: 10 }).not.toBeNull();
      const get = await sendReady(site, request);
      const head = await sendReady(site, { ...request, method: 'HEAD' });
      expect(head.status).toBe(get.status);
      expect(head.text).toBe('');
      expectEveryHeader(head);
      for (const name of ['content-type', 'content-length', 'etag', 'link', 'cache-control']) {
        expect(head.headers.get(name), name).toBe(get.headers.get(name));
      }
    });

    test('is rejected like GET, without the body', async () => {
      const site = await server.createSite();
      const { path } = await readyRequest(operationId, site);
      const answer = await site.request('HEAD', `${path}?unknown=1`);
      expect(answer.status).toBe(400);
      expect(answer.text).toBe('');
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expectEveryHeader(answer);
    });
  });

  describe('the request ID', () => {
    const id = '0f8fad5b-d9cb-469f-a165-70867728950e';

    test('is the client’s, if that is a UUID', async () => {
      const site = await server.createSite();
      const found = await site.get('/site', { 'x-request-id': id });
      expectResponse('getSite', found, 200);
      expect(found.headers.get('x-request-id')).toBe(id);
      const upper = await site.get('/site', { 'x-request-id': id.toUpperCase() });
      expect(upper.headers.get('x-request-id')).toBe(id);
    });

    test('is part of every error response', async () => {
      const site = await server.createSite();
      const headers = { 'x-request-id': id };
      const answers = [
        await send(`${server.apiUrl}/site`, 'GET', { headers }),
        await site.get(`/members/${unknownId()}`, headers),
        await site.get('/nothing', headers),
        await site.request('PUT', '/site', { headers }),
        await site.post('/members', 'x', { ...headers, 'content-type': 'text/plain' }),
        await site.post('/members', '{', headers),
        await site.post('/members', ' '.repeat(1_048_577), headers),
        await site.get('/members/%zz', headers),
        await send(`${server.address}/nothing`, 'GET', { headers }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([401, 404, 404, 405, 415, 400, 413, 400, 404]);
      for (const answer of answers) {
        expectEveryHeader(answer);
        expect(answer.headers.get('x-request-id')).toBe(id);
        expect(answer.body.error.requestId).toBe(id);
      }
    });

    test('is a new one otherwise', async () => {
      const site = await server.createSite();
      const seen = new Set<string>();
      for (const wrong of [
        '1',
        `{${id}}`,
        `urn:uuid:${id}`,
        id.slice(1),
        `${id}, ${id}`,
        'x'.repeat(5_000),
        '',
      ]) {
        const answer = await site.get('/site', { 'x-request-id': wrong });
        expectResponse('getSite', answer, 200);
        expect(answer.headers.get('x-request-id')).not.toBe(wrong);
        seen.add(answer.headers.get('x-request-id')!);
      }
      expect(seen.size).toBe(7);
    });
  });
});
