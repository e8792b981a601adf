import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { expectResponse } from '../../../test/contract/answers.ts';
import { aMember } from '../../../test/contract/given.ts';
import { forOneStore } from '../../../test/stores.ts';
import { useTestServer } from '../../../test/use-server.ts';

const mebibyte = 1_048_576;
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

const notJson: Record<string, string | Uint8Array> = {
  'an empty body': new Uint8Array(0),
  'white space alone': ' \n ',
  'an open object': '{"email":"a@example.com"',
  'two values': '{"email":"a@example.com"}{}',
  'a trailing comma': '{"email":"a@example.com",}',
  'single quotes': "{'email':'a@example.com'}",
  'a comment': '{"email":"a@example.com"/**/}',
  'a bare word': '{email:"a@example.com"}',
  NaN: '{"email":NaN}',
  'a line break in a string': '{"email":"a@example\n.com"}',
  'a byte order mark': '\ufeff{"email":"a@example.com"}',
  'a key twice': '{"email":"a@example.com","email":"b@example.com"}',
  'a key twice, once escaped': '{"email":"a@example.com","em\\u0061il":"b@example.com"}',
  'a key twice, further in': '{"members":[{"email":"a@example.com","paid":true,"paid":false}]}',
  'the key __proto__': '{"email":"a@example.com","__proto__":{"paid":true}}',
  'the key __proto__, escaped': '{"email":"a@example.com","\\u005f_proto__":{"paid":true}}',
  'the key __proto__, further in': '{"members":[{"email":"a@example.com","__proto__":{}}]}',
  'half a surrogate pair': '{"email":"a@example.com","displayName":"\\ud83d"}',
  'the other half': '{"email":"a@example.com","displayName":"\\ude00!"}',
  'halves the wrong way round': '{"email":"a@example.com","displayName":"\\ude00\\ud83d"}',
  'half a surrogate pair in a key': '{"email":"a@example.com","\\ud83d":1}',
  'half a surrogate pair as bytes': bytes(
    '{"email":"a@example.com","displayName":"',
    [0xed, 0xa0, 0xbd],
    '"}',
  ),
  'bytes that are not UTF-8': bytes('{"email":"a@example.com","displayName":"', [0xff], '"}'),
  'an overlong form': bytes('{"email":"a@example.com","displayName":"', [0xc0, 0x80], '"}'),
  'Latin-1': bytes('{"email":"a@example.com","displayName":"', [0xe9], '"}'),
  'UTF-16': new Uint8Array(Buffer.from('{"email":"a@example.com"}', 'utf16le')),
  'compressed bytes': new Uint8Array(gzipSync('{"email":"a@example.com"}')),
  'very deep nesting': deep(100_000),
  'nesting that is too deep': deep(17),
};

const notAnObject = ['null', 'true', '1', '"text"', '[]', '[{"email":"a@example.com"}]'];

forOneStore((store) => {
  const server = useTestServer(store);

  describe('a body is rejected as invalid JSON for', () => {
    test.each(Object.entries(notJson))('%s', async (_, body) => {
      const site = await server.createSite();
      const answer = await site.post('/members', body);
      const error = expectResponse('createMember', answer, 400, 'invalid_json');
      expect(error.details).toBeUndefined();
      expect((await site.get('/members')).body.data).toEqual([]);
    });
  });

  test('every kind of operation rejects a body that is not JSON', async () => {
    const site = await server.createSite();
    const member = await aMember(site);
    expectResponse('updateMember', await site.patch(`/members/${member.id}`, '{'), 400, 'invalid_json');
    expectResponse('bulkCreateMembers', await site.post('/members/bulk', '{'), 400, 'invalid_json');
    expectResponse('updateSite', await site.patch('/site', '{"title":"a","title":"b"}'), 400, 'invalid_json');
  });

  test('an empty body is accepted where no body is expected, whatever its media type', async () => {
    const site = await server.createSite();
    const { id } = await aMember(site);
    expectResponse('blockMember', await site.post(`/members/${id}/block`, new Uint8Array(0)), 200);
  });

  test('JSON that is not an object has the wrong shape', async () => {
    const site = await server.createSite();
    for (const body of notAnObject) {
      expectResponse('createMember', await site.post('/members', body), 400, 'invalid_request');
    }
  });

  test('keys with other special names are just unknown', async () => {
    const site = await server.createSite();
    for (const key of ['constructor', 'prototype', 'toString', 'hasOwnProperty', '', 'a/b~c', 'é']) {
      const answer = await site.post('/members', `{"email":"a@example.com",${JSON.stringify(key)}:1}`);
      const error = expectResponse('createMember', answer, 400, 'invalid_request');
      const pointer = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const message = `${key || '""'} is unknown. Remove it, or use email, displayName, paid, registeredAt or accessGroupIds.`;
      expect(error.details).toEqual([{ path: pointer, message }]);
    }
  });

  test('complete surrogate pairs and escaped text are accepted unchanged', async () => {
    const site = await server.createSite();
    const body =
      '{"email":"a@example.com","displayName":"\\ud83d\\ude00 \\u00e9 \\"\\\\ {\\"a\\":1,\\"a\\":2}"}';
    const answer = await site.post('/members', body);
    expect(expectResponse('createMember', answer, 201).data.displayName).toBe('😀 é "\\ {"a":1,"a":2}');
  });

  describe('the media type', () => {
    const create = { email: 'a@example.com' };

    test.each([
      'application/json',
      'application/json; charset=utf-8',
      'application/json;charset=UTF-8',
      'APPLICATION/JSON',
    ])('can be %s', async (type) => {
      const site = await server.createSite();
      expectResponse('createMember', await site.post('/members', create, { 'content-type': type }), 201);
    });

    test.each([
      'text/plain',
      'text/json',
      'application/jsonx',
      'application/json-patch+json',
      'application/merge-patch+json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain; application/json',
      'application',
      'json',
      '*/*',
    ])('cannot be %s', async (type) => {
      const site = await server.createSite();
      const answer = await site.post('/members', create, { 'content-type': type });
      expectResponse('createMember', answer, 415, 'unsupported_media_type');
      expect((await site.get('/members')).body.data).toEqual([]);
    });

    test('is required, with or without a body', async () => {
      const site = await server.createSite();
      for (const body of [new Uint8Array(Buffer.from('{"email":"a@example.com"}')), undefined]) {
        const answer = await rawPost(`${server.apiUrl}/members`, site.key, body, {});
        expectResponse('createMember', answer, 415, 'unsupported_media_type');
      }
    });
  });

  describe('the size of a body', () => {
    /** A request that succeeds and has exactly this size in bytes. */
    const ofSize = (size: number) => {
      const body = JSON.stringify({ members: [{ email: 'a@example.com' }] });
      return body + ' '.repeat(size - body.length);
    };

    test('may be 1 MiB', async () => {
      const site = await server.createSite();
      expectResponse('bulkCreateMembers', await site.post('/members/bulk', ofSize(mebibyte)), 207);
    });

    test('may not be one byte larger', async () => {
      const site = await server.createSite();
      const answer = await site.post('/members/bulk', ofSize(mebibyte + 1));
      expectResponse('bulkCreateMembers', answer, 413, 'body_too_large');
      expect((await site.get('/members')).body.data).toEqual([]);
    });

    test('is counted in bytes', async () => {
      const site = await server.createSite();
      const body = JSON.stringify({ members: [{ email: 'é'.repeat(mebibyte / 2) }] });
      expectResponse('bulkCreateMembers', await site.post('/members/bulk', body), 413, 'body_too_large');
    });

    test('is measured when the request has no Content-Length', async () => {
      const site = await server.createSite();
      const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
      const post = (size: number) =>
        rawPost(
          `${server.apiUrl}/members/bulk`,
          site.key,
          new Uint8Array(Buffer.from(ofSize(size))),
          headers,
        );
      expectResponse('bulkCreateMembers', await post(mebibyte), 207);
      expectResponse('bulkCreateMembers', await post(mebibyte + 1), 413, 'body_too_large');
    });
  });
});

function bytes(before: string, middle: number[], after: string): Uint8Array {
  return new Uint8Array(Buffer.concat([Buffer.from(before), Buffer.from(middle), Buffer.from(after)]));
}

/** A request with only the given headers; `fetch` adds some of its own. */
function rawPost(url: string, key: string, body: Uint8Array | undefined, headers: Record<string, string>) {
  return new Promise<Parameters<typeof expectResponse>[1]>((resolve, reject) => {
    const length = headers['transfer-encoding'] ? {} : { 'content-length': String(body?.length ?? 0) };
    const request = httpRequest(url, {
      method: 'POST',
      headers: { ...headers, ...length, authorization: `Bearer ${key}` },
    });
    request.on('error', reject).on('response', async (response) => {
      const text = Buffer.concat(await response.toArray()).toString('utf8');
      resolve({
        status: response.statusCode!,
        headers: new Headers(response.headers as Record<string, string>),
        body: JSON.parse(text),
        text,
      });
    });
    request.end(body);
  });
}
