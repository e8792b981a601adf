import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { expectError, expectResponse } from '../contract/answers.ts';
import { effort } from '../effort.ts';
import { forOneStore } from '../stores.ts';
import type { TestSite } from '../test-server.ts';
import { useTestServer } from '../use-server.ts';
import { RawConnection, requestText, sendRaw } from './raw-connection.ts';

const mebibyte = 1_048_576;
const json = { 'content-type': 'application/json' };

/** A request to create one member, padded with spaces to this many bytes. */
const ofSize = (size: number) => '{"members":[{"email":"a@example.com"}]}'.padEnd(size).slice(0, size);

const { rejectedBodies } = effort;

forOneStore((store) => {
  if (store.dialect !== 'sqlite') return test.skip('the store is not involved, so one is enough');
  const server = useTestServer(store);
  const headersOf = (site: TestSite) => ({ ...json, authorization: `Bearer ${site.key}` });

  describe.each<[number, number, 'invalid_json' | 'body_too_large' | undefined]>([
    [0, 400, 'invalid_json'],
    [1, 400, 'invalid_json'],
    [mebibyte - 1, 207, undefined],
    [mebibyte, 207, undefined],
    [mebibyte + 1, 413, 'body_too_large'],
    [2 * mebibyte, 413, 'body_too_large'],
  ])('a body of %i bytes', (size, status, code) => {
    test('is accepted or rejected by its size, with or without Content-Length', async () => {
      const site = await server.createSite();
      const body = ofSize(size);
      const expected = requestText(
        'POST /api/v1/members/bulk',
        { ...headersOf(site), 'content-length': String(size) },
        body,
      );
      const chunks =
        body.match(/.{1,65536}/gs)?.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`) ?? [];
      const head = requestText('POST /api/v1/members/bulk', {
        ...headersOf(site),
        'transfer-encoding': 'chunked',
      });
      for (const parts of [[expected], [head, ...chunks, '0\r\n\r\n']]) {
        const answer = await sendRaw(server.address, ...parts);
        expectResponse('bulkCreateMembers', answer!, status, code);
      }
      const { data } = (await site.get('/members')).body;
      expect(data).toHaveLength(status === 207 ? 1 : 0);
    });
  });

  test('an endless chunked body is rejected when it is too large', async () => {
    const site = await server.createSite();
    const connection = await RawConnection.open(server.address);
    connection.write(
      requestText('POST /api/v1/members', { ...headersOf(site), 'transfer-encoding': 'chunked' }),
    );
    for (let chunk = 0; chunk < 17; chunk += 1) connection.write(`10000\r\n${' '.repeat(65_536)}\r\n`);
    expectError((await connection.answer())!, 413, 'body_too_large');
    connection.destroy();
  });

  test.each([
    ['100,000 open brackets', '['.repeat(100_000)],
    ['100,000 pairs of brackets', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['100,000 objects', '{"a":'.repeat(100_000)],
    ['100,000 objects, closed', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['deep nesting within a member', `{"members":[{"email":${'['.repeat(100_000)}${']'.repeat(100_000)}}]}`],
    ['100,000 closing brackets', ']'.repeat(100_000)],
    ['a NUL', '{"email":"a\0@example.com"}'],
    ['a NUL after it', '{"email":"a@example.com"}\0'],
    ['a line break in a text', '{"email":"a@example.com\r\n"}'],
    ['half of a surrogate pair', '{"email":"a@example.com","displayName":"\\ud800"}'],
    ['the other half', '{"email":"a@example.com","displayName":"\\udc00x"}'],
    ['halves the wrong way round', '{"email":"a@example.com","displayName":"\\udc00\\ud800"}'],
    ['half of a surrogate pair in a key', '{"email":"a@example.com","\\ud800":1}'],
    ['__proto__', '{"email":"a@example.com","__proto__":{"paid":true}}'],
    ['__proto__ with escapes', '{"email":"a@example.com","\\u005f_proto__":{"paid":true}}'],
    ['__proto__ within a member', '{"members":[{"email":"a@example.com","__proto__":{}}]}'],
    ['a duplicate key', '{"email":"a@example.com","email":"b@example.com"}'],
    ['a duplicate key, once with escapes', '{"email":"a@example.com","\\u0065mail":"b@example.com"}'],
    ['two values', '{"email":"a@example.com"}{"email":"b@example.com"}'],
    ['a comment', '{"email":"a@example.com"/**/}'],
    ['a byte order mark', '\ufeff{"email":"a@example.com"}'],
    ['NaN', '{"email":NaN}'],
    ['100,000 invalid escapes', `{"email":"${'\\x'.repeat(100_000)}"}`],
    ['a number of 100,000 digits and a letter', `{"paid":${'9'.repeat(100_000)}a}`],
  ])('%s is not valid JSON here', async (_, body) => {
    const site = await server.createSite();
    for (const path of ['/members', '/members/bulk', '/access-groups']) {
      expectError(await site.post(path, body), 400, 'invalid_json');
    }
    await expectNothingStored(site);
    expect(({} as { paid?: boolean }).paid).toBeUndefined();
  });

  test.each([
    'constructor',
    'prototype',
    'toString',
    'id',
    'siteId',
    'verified',
    'email\0',
    ' email',
    'Email',
  ])('the key %j is unknown', async (key) => {
    const site = await server.createSite();
    const body = { email: 'a@example.com', [key]: { paid: true } };
    expectResponse('createMember', await site.post('/members', body), 400, 'invalid_request');
    const members = [{ email: 'b@example.com' }, body];
    expectResponse(
      'bulkCreateMembers',
      await site.post('/members/bulk', { members }),
      400,
      'invalid_request',
    );
    await expectNothingStored(site);
  });

  test.each(['a\0b', 'a\r\nx-forged: 1', '\u001b[2J', 'a\u2028b'])(
    'the value %j is rejected, alone and as one of many, and cannot inject a header',
    async (value) => {
      const site = await server.createSite();
      const answers = [
        await site.post('/members', { email: 'a@example.com', displayName: value }),
        await site.post('/members', { email: `${value}@example.com` }),
        await site.post('/access-groups', { name: value }),
      ];
      for (const answer of answers) expectError(answer, 400, 'invalid_request');
      const members = [
        { email: 'a@example.com', displayName: value },
        { email: `${value}@example.com` },
        { email: `a@${value}.example` },
      ];
      const bulk = await site.post('/members/bulk', { members });
      const { data } = expectResponse('bulkCreateMembers', bulk, 207);
      expect(data.map(({ error }: { error?: { code: string } }) => error?.code)).toEqual([
        'invalid_display_name',
        'invalid_email',
        'invalid_email',
      ]);
      for (const answer of [...answers, bulk]) expect(answer.headers.has('x-forged')).toBe(false);
      await expectNothingStored(site);
    },
  );

  test(`${rejectedBodies} rejected bodies of 1 MiB leave nothing in memory`, async () => {
    const site = await server.createSite();
    const fill = (start: string, item: string, end: string) =>
      start + item.repeat(Math.floor((mebibyte - start.length - end.length) / item.length)) + end;
    const bodies = [
      fill('{"members":[', '1,', '1]}'),
      fill('{"members":[', '{},', '{}]}'),
      fill('{"members":[', '"",', '""]}'),
      fill('{"members":[{"email":[', '"x",', '""]}]}'),
      fill('[', '{"a":1},', '1]'),
      fill('{"', 'k', '":1}'),
      fill('', '{"a":[', ''),
      fill('{"members":[', '1,', ''),
      fill('"', '\\u0041', ''),
      fill('', ' ', '{'),
    ];
    const refuseAll = async (times: number) => {
      for (let round = 0; round < times; round += 1) {
        for (const body of bodies) {
          const answer = await site.post('/members/bulk', body);
          expectError(answer, 400, answer.body?.error?.code);
          expect(answer.text.length).toBeLessThan(10_000);
        }
      }
    };
    await refuseAll(2);
    const before = memory();
    await refuseAll(rejectedBodies / bodies.length);
    const after = memory();
    expect(after.heap - before.heap, 'bytes of heap').toBeLessThan(32 * mebibyte);
    expect(after.resident - before.resident, 'bytes resident').toBeLessThan(256 * mebibyte);
    await expectNothingStored(site);
  });
});

async function expectNothingStored(site: TestSite): Promise<void> {
  expect((await site.get('/members')).body.data).toEqual([]);
  expect((await site.get('/access-groups')).body.data).toEqual([]);
}

function memory(): { heap: number; resident: number } {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, resident: rss };
}
