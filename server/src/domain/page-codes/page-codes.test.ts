import type { PageCode } from '@gatehouse/contract';
import { maxPageCodes } from '@gatehouse/contract/limits';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { changing } from '../../../test/change.ts';
import { expectError, expectResponse } from '../../../test/contract/answers.ts';
import { dumpStore } from '../../../test/contract/dump.ts';
import { aPageCode } from '../../../test/contract/ways-in.ts';
import { day, hour, movableTime } from '../../../test/movable-time.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { systemContext } from '../../base/change-context.ts';
import { generateToken } from '../sessions/token.ts';
import { enterPageCode, findEnteredCodes, findTypedCode } from './page-passes.ts';

forEachStore((store) => {
  const { clock, advance } = movableTime();
  const server = useTestServer(store, { clock });
  const now = () => clock().toISOString();
  const viewOf = ({ siteId }: TestSite) => ({ db: server.database, siteId, now: now() });
  const domain = 'club.example.org';

  /** The pass after a code was entered; null if it was refused. */
  async function enter(
    site: TestSite,
    typed: string,
    token: string | null = null,
    newToken = generateToken(),
  ) {
    const { codeHash } = await findTypedCode(viewOf(site), typed, { token, domain });
    if (codeHash === null) return null;
    const entry = { codeHash, domain, token, newToken };
    const expiresAt = await changing(
      server.database,
      site.siteId,
      (change) => enterPageCode(change, entry),
      systemContext(now()),
    );
    return expiresAt === null ? null : { token: entry.newToken, expiresAt };
  }

  const idsOf = async (site: TestSite, token: string, at = domain) =>
    (await findEnteredCodes(viewOf(site), token, at)).map(({ id }) => id);

  const read = async (site: TestSite, { id }: PageCode): Promise<PageCode> =>
    expectResponse('getPageCode', await site.get(`/page-codes/${id}`), 200).data;

  const eventsOf = async (site: TestSite, type: string) =>
    expectResponse('listEvents', await site.get(`/events?type=${type}`), 200).data.map(
      ({ data }: { data: unknown }) => data,
    );

  test('a code of words is shown to those who may change the site, and stored only encrypted and as a hash', async () => {
    const site = await server.createSite();
    const code = await aPageCode(site, { label: ' Class 7b ' });
    expect(code).toMatchObject({
      label: 'Class 7b',
      type: 'words',
      status: 'active',
      usedCount: 0,
      maxUses: null,
    });
    expect(code.code).toMatch(/^[a-z]+(?:-[a-z]+){4}$/);
    expect(await read(site, code)).toEqual(code);
    const { secret } = await site.createKey({ permissions: ['site:read'] });
    const reader = { headers: { authorization: `Bearer ${secret}` } };
    const shown = await site.request('GET', `/page-codes/${code.id}`, reader);
    expect(expectResponse('getPageCode', shown, 200).data).toEqual({ ...code, code: null });
    const listed = await site.request('GET', '/page-codes', reader);
    expect(expectResponse('listPageCodes', listed, 200).data).toEqual([{ ...code, code: null }]);
    expect(JSON.stringify(await dumpStore(server.database))).not.toContain(code.code);
    expect(await eventsOf(site, 'page-code.created')).toEqual([{ pageCodeId: code.id, label: 'Class 7b' }]);
  });

  test('a chosen code is never shown, and no two codes of a site are the same', async () => {
    const [site, other] = [await server.createSite(), await server.createSite()];
    const code = 'Rowing on the lake';
    expect(await aPageCode(site, { code })).toMatchObject({ type: 'chosen', code: null });
    const again = await site.post('/page-codes', { label: 'x', code: 'rowing-on-THE-lake' });
    expectResponse('createPageCode', again, 409, 'page_code_taken');
    await aPageCode(other, { code });
  });

  test.each([
    [{ code: '- short 7 -' }, '/code', 'at least 8 letters'],
    [{ code: 'letmein 2031' }, '/code', 'people try first'],
    [{ type: 'chosen' }, '/code', 'that you have chosen'],
    [{ type: 'words', code: 'rowing on the lake' }, '/code', 'Leave out the code'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, '/expiresAt', 'in the future'],
    [{ label: ' ' }, '/label', 'label must have'],
  ])('%o is rejected', async (values, path, message) => {
    const site = await server.createSite();
    const { details } = expectError(
      await site.post('/page-codes', { label: 'Course', ...values }),
      400,
      'invalid_request',
    );
    expect(details).toEqual([{ path, message: expect.stringContaining(message) }]);
  });

  test('a site has a limited number of codes', async () => {
    const site = await server.createSite();
    await aPageCode(site);
    await server.database.transaction((tx) =>
      tx.run(sql`
        WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${maxPageCodes})
        INSERT INTO page_codes (site_id, id, label, type, code_hash, used_count, created_at, updated_at)
        SELECT c.site_id, ${idOfNumber()}, c.label, c.type, 'h' || n, 0, c.created_at, c.updated_at
        FROM page_codes c, numbers WHERE c.site_id = ${site.siteId}`),
    );
    expectResponse(
      'createPageCode',
      await site.post('/page-codes', { label: 'x' }),
      409,
      'too_many_page_codes',
    );
  });

  const idOfNumber = () =>
    store.dialect === 'postgres'
      ? sql`CAST('01980a43-ae4b-7031-8269-' || lpad(CAST(n AS text), 12, '0') AS uuid)`
      : sql`'01980a43-ae4b-7031-8269-' || substr('000000000000' || n, -12)`;

  test('a key that expires creates codes that end with it, and revives none', async () => {
    const site = await server.createSite();
    const forever = await aPageCode(site);
    const expiresAt = new Date(clock().getTime() + day).toISOString();
    const { secret } = await site.createKey({ permissions: ['site:write', 'site:read'], expiresAt });
    const send = (method: string, path: string, body: object) =>
      site.request(method, path, { body, headers: { authorization: `Bearer ${secret}` } });
    const created = expectResponse(
      'createPageCode',
      await send('POST', '/page-codes', { label: 'x' }),
      201,
    ).data;
    expect(created.expiresAt).toBe(expiresAt);
    const later = { label: 'x', expiresAt: new Date(clock().getTime() + 2 * day).toISOString() };
    expectResponse('createPageCode', await send('POST', '/page-codes', later), 403, 'permission_denied');
    const path = `/page-codes/${forever.id}`;
    expectResponse('updatePageCode', await send('PATCH', path, { maxUses: 9 }), 403, 'permission_denied');
    expectResponse('replacePageCode', await send('POST', `${path}/replace`, {}), 403, 'permission_denied');
    expectResponse('updatePageCode', await send('PATCH', path, { label: 'y' }), 200);
  });

  test('a code that was entered counts one use, and the first in an hour is recorded', async () => {
    const site = await server.createSite();
    const code = await aPageCode(site, { maxUses: 3 });
    const first = await enter(site, code.code!.toUpperCase().replaceAll('-', ' '));
    await enter(site, code.code!);
    expect(await read(site, code)).toMatchObject({ usedCount: 2, status: 'active', lastUsedAt: now() });
    advance(hour);
    await enter(site, code.code!);
    expect(await read(site, code)).toMatchObject({ usedCount: 3, status: 'used_up' });
    // It is not even looked for in a transaction, whatever the cookie is.
    for (const token of [null, 'x', generateToken()])
      expect((await findTypedCode(viewOf(site), code.code!, { token, domain })).codeHash).toBeNull();
    // Where it was entered it can be entered again, without a use.
    const again = await enter(site, code.code!, first!.token);
    expect(await idsOf(site, again!.token)).toEqual([code.id]);
    expect(await idsOf(site, first!.token)).toEqual([]);
    expect((await read(site, code)).usedCount).toBe(3);
    const { id: pageCodeId, label } = code;
    expect(await eventsOf(site, 'page-code.used')).toEqual([
      { pageCodeId, label, usedCount: 1 },
      { pageCodeId, label, usedCount: 3 },
    ]);
  });

  test('a pass holds several codes, is for one host, and ends with the code or after 30 days', async () => {
    const site = await server.createSite();
    const forever = await aPageCode(site, { type: 'characters' });
    const short = await aPageCode(site, { expiresAt: new Date(clock().getTime() + day).toISOString() });
    const one = await enter(site, short.code!);
    expect(one!.expiresAt).toBe(short.expiresAt);
    const both = await enter(site, forever.code!, one!.token);
    expect(both!.expiresAt).toBe(new Date(clock().getTime() + 30 * day).toISOString());
    expect(await idsOf(site, both!.token)).toEqual([forever.id, short.id]);
    expect(await idsOf(site, both!.token, 'forum.example.org')).toEqual([]);
    expect(await idsOf(await server.createSite(), both!.token)).toEqual([]);
    advance(day);
    expect(await idsOf(site, both!.token)).toEqual([forever.id]);
    expect(await enter(site, short.code!)).toBeNull();
    expect((await read(site, short)).status).toBe('expired');
    advance(29 * day);
    expect(await idsOf(site, both!.token)).toEqual([]);
  });

  test('a code that two passes have can be entered with both', async () => {
    const site = await server.createSite();
    const [code, other] = [await aPageCode(site), await aPageCode(site)];
    const [one, two] = [await enter(site, code.code!), await enter(site, code.code!)];
    const both = await enter(site, other.code!, one!.token);
    const again = await enter(site, code.code!, both!.token, two!.token);
    expect(again!.token).toBe(two!.token);
    expect(await idsOf(site, two!.token)).toEqual([code.id, other.id]);
    expect(await idsOf(site, both!.token)).toEqual([]);
  });

  test.each([
    ['replaced', 'updated', (site: TestSite, id: string) => site.post(`/page-codes/${id}/replace`, {})],
    ['deleted', 'revoked', (site: TestSite, id: string) => site.delete(`/page-codes/${id}`)],
  ])('when a code is %s, access by it ends at once', async (_, event, end) => {
    const site = await server.createSite();
    const code = await aPageCode(site);
    const pass = await enter(site, code.code!);
    expect((await end(site, code.id)).status).toBeLessThan(300);
    expect(await idsOf(site, pass!.token)).toEqual([]);
    expect(await eventsOf(site, `page-code.${event}`)).toMatchObject([{ pageCodeId: code.id }]);
    expect(await enter(site, code.code!)).toBeNull();
    expect(await server.database.all(sql`SELECT 1 FROM page_passes WHERE site_id = ${site.siteId}`)).toEqual(
      [],
    );
  });

  test('a replaced code counts from 0 again, and its event does not contain it', async () => {
    const site = await server.createSite();
    const code = await aPageCode(site);
    await enter(site, code.code!);
    const answer = await site.post(`/page-codes/${code.id}/replace`, { code: 'rowing on the lake' });
    const replaced = expectResponse('replacePageCode', answer, 200).data;
    expect(replaced).toMatchObject({
      id: code.id,
      type: 'chosen',
      code: null,
      usedCount: 0,
      lastUsedAt: null,
    });
    expect(await eventsOf(site, 'page-code.updated')).toEqual([
      {
        pageCodeId: code.id,
        changes: [
          { field: 'code', from: null, to: null },
          { field: 'type', from: 'words', to: 'chosen' },
        ],
      },
    ]);
    expect(await enter(site, 'Rowing on the lake')).not.toBeNull();
  });

  test('the label, the end and the number of uses are changed with an event', async () => {
    const site = await server.createSite();
    const code = await aPageCode(site);
    const patched = await site.patch(`/page-codes/${code.id}`, { label: 'Class 8b', maxUses: 60 });
    expect(expectResponse('updatePageCode', patched, 200).data).toMatchObject({
      label: 'Class 8b',
      maxUses: 60,
    });
    expect(await eventsOf(site, 'page-code.updated')).toEqual([
      {
        pageCodeId: code.id,
        changes: [
          { field: 'label', from: code.label, to: 'Class 8b' },
          { field: 'maxUses', from: null, to: '60' },
        ],
      },
    ]);
  });
});
