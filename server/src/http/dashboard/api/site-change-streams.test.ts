import { type OperatorRole, rolePermissions } from '@gatehouse/contract';
import { maxStreamsOfKey, maxStreamsOfOperator } from '@gatehouse/contract/limits';
import { describe, expect, test } from 'vitest';
import { expectDashboardError } from '../../../../test/contract/answers.ts';
import { aMember, unknownId } from '../../../../test/contract/given.ts';
import { ReadStream, tryStream, tryStreamAt } from '../../../../test/event-stream.ts';
import { anOperator, everyRole, logInOperator, type OperatorBrowser } from '../../../../test/operator.ts';
import { forEachStore } from '../../../../test/stores.ts';
import { startTestServer, type TestServer, type TestSite } from '../../../../test/test-server.ts';
import { useTestServer } from '../../../../test/use-server.ts';

const beginning = '00000000-0000-0000-0000-000000000000';

forEachStore((store) => {
  const server = useTestServer(store);

  async function anOperatedSite(role: OperatorRole = 'owner', at: TestServer = server) {
    const site = await at.createSite();
    return { site, operator: await anOperator(at, site.siteId, role) };
  }
  const pathOf = ({ siteId }: { siteId: string }) => `sites/${siteId}/changes`;
  const tryChanges = (
    browser: OperatorBrowser,
    site: { siteId: string },
    query = '',
    headers: Record<string, string> = {},
    at: TestServer = server,
  ) =>
    tryStreamAt(`${at.address}/dashboard/api/${pathOf(site)}${query}`, {
      ...browser.cookieHeader(),
      ...headers,
    });
  async function openChanges(...args: Parameters<typeof tryChanges>): Promise<ReadStream> {
    const stream = await tryChanges(...args);
    if (stream instanceof ReadStream) return stream;
    throw new Error(`The stream was refused with ${stream}.`);
  }
  const changesOf = ({ blocks }: ReadStream) =>
    blocks.flatMap(({ data }) => (data === undefined ? [] : [JSON.parse(data)]));
  const lastEvent = async (site: TestSite) => (await site.get('/events?limit=100')).body.data.at(-1).id;

  test('it says what changes are about, and not what is in them', async () => {
    const { site, operator } = await anOperatedSite();
    const stream = await openChanges(operator.browser, site);
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'x-accel-buffering': 'no',
      'cache-control': expect.stringContaining('no-store'),
    });
    const { id, email } = await aMember(site);
    await expect.poll(() => changesOf(stream)).toEqual([{ types: ['member.created'], memberIds: [id] }]);
    await site.post('/access-groups', { name: 'Crew' });
    await expect
      .poll(() => changesOf(stream).slice(1))
      .toEqual([{ types: ['access-group.created'], memberIds: [] }]);
    expect(stream.lastId).toBe(await lastEvent(site));
    expect(JSON.stringify(stream.blocks)).not.toContain(email);
  });

  test('a bulk change is a few blocks, without the list of its members', async () => {
    const { site, operator } = await anOperatedSite();
    const stream = await openChanges(operator.browser, site);
    const members = Array.from({ length: 500 }, (_, number) => ({ email: `m${number}@example.com` }));
    await site.post('/members/bulk', { members });
    const last = await lastEventOfAll(site);
    await expect.poll(() => stream.lastId).toBe(last);
    const changes = changesOf(stream);
    expect(changes.length).toBeLessThan(10);
    expect(changes[0]).toEqual({ types: ['member.created'], memberIds: null });
  });

  test('a page follows from where its token was created, and goes on without a gap', async () => {
    const { site, operator } = await anOperatedSite();
    const answer = await operator.browser.request('POST', 'token', { siteId: site.siteId });
    const { lastEventId } = answer.body.data;
    await aMember(site);
    const stream = await openChanges(operator.browser, site, `?after=${lastEventId}`);
    expect(stream.blocks[0] ?? { id: lastEventId }).toMatchObject({ id: lastEventId });
    await expect.poll(() => changesOf(stream).flatMap(({ types }) => types)).toContain('member.created');
    stream.close();
    await site.post('/access-groups', { name: 'Crew' });
    const next = await openChanges(operator.browser, site, `?after=${stream.lastId!.toUpperCase()}`);
    await expect.poll(() => changesOf(next).flatMap(({ types }) => types)).toEqual(['access-group.created']);
    const whole = await openChanges(operator.browser, site, `?after=${beginning}`);
    await expect.poll(() => changesOf(whole).flatMap(({ types }) => types)).toContain('site.created');
  });

  test('wrong requests are refused', async () => {
    const { site, operator } = await anOperatedSite();
    const { browser } = operator;
    const get = (path: string, headers = {}) => browser.request('GET', path, undefined, headers);
    const path = pathOf(site);
    for (const query of ['after=x', 'types=member.created'])
      expectDashboardError(await get(`${path}?${query}`), 400, 'invalid_request');
    expectDashboardError(await get('sites/x/changes'), 400, 'invalid_request');
    expectDashboardError(await get(`${path}?after=${unknownId()}`), 400, 'invalid_cursor');
    expectDashboardError(await browser.request('POST', path, {}), 405, 'method_not_allowed');
    const other = { 'x-gatehouse-operator': unknownId() };
    expectDashboardError(await get(path, other), 409, 'other_operator');
    expect((await browser.request('HEAD', path)).status).toBe(200);
  });

  describe('who may follow the changes of a site', () => {
    test.each(everyRole)('the role %s, if it may read events', async (role) => {
      const { site, operator } = await anOperatedSite(role);
      const stream = await tryChanges(operator.browser, site);
      expect(stream instanceof ReadStream).toBe(rolePermissions[role].includes('events:read'));
    });

    test('no operator of another site, and nobody without a session', async () => {
      const { site, operator } = await anOperatedSite();
      const { site: other, operator: outsider } = await anOperatedSite();
      const answer = await outsider.browser.request('GET', pathOf(site));
      expectDashboardError(answer, 403, 'permission_denied');
      const unknown = await outsider.browser.request('GET', pathOf({ siteId: unknownId() }));
      expect(unknown.body.error.message).toBe(answer.body.error.message);
      expect(await tryChanges(operator.browser, other)).toBe(403);
      const key = { authorization: `Bearer ${site.key}`, cookie: '' };
      expect(await tryChanges(operator.browser, site, '', key)).toBe(401);
    });

    test('no page of another site', async () => {
      const { site, operator } = await anOperatedSite();
      for (const headers of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { origin: 'https://evil.example' },
        { origin: 'null' },
      ] as Record<string, string>[]) {
        expect(await tryChanges(operator.browser, site, '', headers)).toBe(403);
      }
      const own = { 'sec-fetch-site': 'same-origin' };
      expect(await tryChanges(operator.browser, site, '', own)).toBeInstanceOf(ReadStream);
    });
  });

  describe('it ends', () => {
    /** The streams of two browsers of the same site; only the first one is to end. */
    async function twoStreams() {
      const { site, operator } = await anOperatedSite();
      const other = await anOperator(server, site.siteId);
      return {
        site,
        operator,
        other,
        mine: await openChanges(operator.browser, site),
        others: await openChanges(other.browser, site),
      };
    }

    test.each([
      ['logs out', (browser: OperatorBrowser) => browser.request('POST', 'logout', { everywhere: false })],
      [
        'logs out everywhere',
        (browser: OperatorBrowser) => browser.request('POST', 'logout', { everywhere: true }),
      ],
    ])('when the operator %s', async (_, end) => {
      const { site, operator, mine, others } = await twoStreams();
      expect((await end(operator.browser)).status).toBe(204);
      await mine.ended;
      await aMember(site);
      await expect.poll(() => changesOf(others).at(-1)?.types).toEqual(['member.created']);
      expect(changesOf(mine).flatMap(({ types }) => types)).not.toContain('member.created');
    });

    test('when the session is ended from another browser of the operator', async () => {
      const { operator, mine, site } = await twoStreams();
      const { browser: second } = await logInOperator(server, operator);
      const theirs = await openChanges(second, site);
      const answer = await second.request('DELETE', `sessions/${operator.sessionId}`);
      expect(answer.status).toBe(204);
      await mine.ended;
      await aMember(site);
      await expect.poll(() => changesOf(theirs).length).toBeGreaterThan(0);
    });

    test('when the role changes, and then begins again with the new one', async () => {
      const { site, operator, other, mine } = await twoStreams();
      const change = { role: 'viewer' };
      await other.browser.api(site.siteId, 'PATCH', `/operators/${operator.id}`, change);
      await mine.ended;
      expect(await tryChanges(operator.browser, site)).toBeInstanceOf(ReadStream);
    });

    test('when the operator is removed', async () => {
      const { site, operator, other, mine } = await twoStreams();
      await other.browser.api(site.siteId, 'DELETE', `/operators/${operator.id}`);
      await mine.ended;
      expect([401, 403]).toContain(await tryChanges(operator.browser, site));
    });

    test('when the service stops', async () => {
      const own = await startTestServer(store);
      const { site, operator } = await anOperatedSite('owner', own);
      const stream = await openChanges(operator.browser, site, '', {}, own);
      await Promise.all([own.stop(), stream.ended]);
      expect(stream.response.complete).toBe(true);
    });
  });

  describe('the number of streams', () => {
    test('of an operator is limited, and takes no place of a program or of another operator', async () => {
      const { site, operator } = await anOperatedSite();
      const streams = await Promise.all(
        Array.from({ length: maxStreamsOfOperator }, () => openChanges(operator.browser, site)),
      );
      const refused = await operator.browser.request('GET', pathOf(site));
      expectDashboardError(refused, 429, 'too_many_streams');
      expect(refused.headers.get('retry-after')).toBe('10');
      await openChanges((await anOperator(server, site.siteId)).browser, site);
      const programs = await Promise.all(
        Array.from({ length: maxStreamsOfKey }, () => tryStream({ apiUrl: server.apiUrl, key: site.key })),
      );
      expect(programs.filter((stream) => stream === 429)).toEqual([]);
      streams[0]!.close();
      await expect.poll(() => tryChanges(operator.browser, site)).toBeInstanceOf(ReadStream);
    });

    test('is a metric', async () => {
      const own = await startTestServer(store, { settings: { metricsToken: 'token' } });
      const { site, operator } = await anOperatedSite('owner', own);
      const stream = await openChanges(operator.browser, site, '', {}, own);
      const metrics = async () => {
        const answer = await fetch(`${own.address}/metrics`, { headers: { authorization: 'Bearer token' } });
        return answer.text();
      };
      expect(await metrics()).toContain('gatehouse_dashboard_streams 1');
      expect(await metrics()).toContain('gatehouse_event_streams 0');
      stream.close();
      await expect.poll(metrics).toContain('gatehouse_dashboard_streams 0');
      await own.stop();
    });
  });

  async function lastEventOfAll(site: TestSite): Promise<string> {
    for (let after = ''; ; ) {
      const { data, pagination } = (await site.get(`/events?limit=100${after}`)).body;
      if (!pagination.hasMore) return data.at(-1).id;
      after = `&after=${pagination.nextCursor}`;
    }
  }
});
