import { randomUUID } from 'node:crypto';
import type { AccessDecision, AccessRule } from '@gatehouse/contract';
import { describe, expect, test } from 'vitest';
import { expectResponse } from '../../../test/contract/answers.ts';
import { dumpSite } from '../../../test/contract/dump.ts';
import { aGroup, aMember, aScopeGroup, everyItem, unknownId } from '../../../test/contract/given.ts';
import { movableTime } from '../../../test/movable-time.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestResponse, TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { saveAccessRules } from './access-rule-store.ts';

const open = (path: string): AccessRule => ({ path, access: 'public' });

forEachStore((store) => {
  const { clock } = movableTime();
  const server = useTestServer(store, { clock });

  const put = (site: TestSite, rules: unknown, headers: Record<string, string> = {}): Promise<TestResponse> =>
    site.request('PUT', '/access-rules', { body: { rules }, headers });
  const set = async (site: TestSite, rules: unknown) =>
    expectResponse('replaceAccessRules', await put(site, rules), 200).data;
  const read = async (site: TestSite) =>
    expectResponse('getAccessRules', await site.get('/access-rules'), 200).data;
  const events = (site: TestSite) => everyItem(site, '/events?type=access-rules.updated');

  test('a new site has no rules', async () => {
    const site = await server.createSite();
    expect(await read(site)).toEqual({ rules: [], updatedAt: null });
  });

  test('stored rules are returned sorted and normalized', async () => {
    const site = await server.createSite();
    const [group, other] = [await aGroup(site), await aScopeGroup(server, site)];
    const before = clock().toISOString();
    const after = await set(site, [
      { path: '/e\u0301te\u0301/', access: 'members' },
      { path: '/course', access: 'groups', groupIds: [group.id.toUpperCase(), other.id, group.id] },
      { path: '/both', access: 'groups', groupIds: [group.id, other.id], match: 'all' },
      { path: '/', access: 'public' },
      { path: '/paid', access: 'paying_members' },
    ]);
    expect(after.rules).toEqual([
      open('/'),
      { path: '/both', access: 'groups', groupIds: [group.id, other.id], match: 'all' },
      { path: '/course', access: 'groups', groupIds: [group.id, other.id], match: 'any' },
      { path: '/paid', access: 'paying_members' },
      { path: '/été', access: 'members' },
    ]);
    expect(after.updatedAt >= before).toBe(true);
    expect(await read(site)).toEqual(after);
    expect(await set(site, after.rules)).toEqual(after);
    expect(await set(site, after.rules.toReversed())).toEqual(after);
    expect(await events(site)).toHaveLength(1);
  });

  test('a rule that passes on the paths of a program is stored, decides and stands alone', async () => {
    const site = await server.createSite();
    const program = { ...open('/app'), programPaths: true };
    expect((await set(site, [open('/'), program])).rules).toEqual([open('/'), program]);
    expect((await events(site))[0].data.changes[0].to).toEqual(open('/'));
    const decide = async (path: string): Promise<AccessDecision> =>
      (await site.post('/access-checks', { checks: [{ path }] })).body.data[0];
    expect(await decide('/app/a%2Fb')).toMatchObject({ allowed: true, rule: program });
    for (const path of ['/app/..%2Fb', '/app;/a', '/a%2Fb'])
      expect(await decide(path)).toMatchObject({ allowed: false, reason: 'ambiguous_path' });
    const refused = await put(site, [open('/'), program, { ...open('/app/admin'), access: 'members' }]);
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', details: [{ path: '/rules/1/programPaths' }] } },
    });
    expect((await read(site)).rules).toEqual([open('/'), program]);
    await set(site, [open('/'), open('/app')]);
    expect((await decide('/app/a%2Fb')).reason).toBe('ambiguous_path');
  });

  test('omitted rules are deleted', async () => {
    const site = await server.createSite();
    await set(site, [open('/'), open('/a')]);
    expect((await set(site, [open('/a')])).rules).toEqual([open('/a')]);
    expect((await set(site, [])).rules).toEqual([]);
    expect((await events(site)).map(({ data }) => data.changes.length)).toEqual([2, 1, 1]);
  });

  test('unchanged rules are not sent again', async () => {
    const site = await server.createSite();
    const never = (await site.get('/access-rules')).headers.get('etag')!;
    const etag = (await put(site, [open('/')])).headers.get('etag')!;
    const current = await site.get('/access-rules');
    expect(current.headers.get('etag')).toBe(etag);
    expect(never).not.toBe(etag);
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await site.get('/access-rules', { 'if-none-match': tag });
      expect([answer.status, answer.text, answer.headers.get('etag')]).toEqual([304, '', etag]);
    }
    expect((await site.get('/access-rules', { 'if-none-match': never })).status).toBe(200);
  });

  test('with If-Match, rules are replaced only if they have not changed since', async () => {
    const site = await server.createSite();
    const seen = (await site.get('/access-rules')).headers.get('etag')!;
    const first = await put(site, [open('/a')], { 'if-match': seen });
    expectResponse('replaceAccessRules', first, 200);
    const before = await dumpSite(server.database, site.siteId);
    for (const tag of [seen, '"other"', `W/${first.headers.get('etag')}`]) {
      const answer = await put(site, [open('/b')], { 'if-match': tag });
      expectResponse('replaceAccessRules', answer, 412, 'precondition_failed');
    }
    expect(await dumpSite(server.database, site.siteId)).toEqual(before);
    const tags = `"other", ${first.headers.get('etag')}`;
    expectResponse('replaceAccessRules', await put(site, [open('/b')], { 'if-match': tags }), 200);
    expectResponse('replaceAccessRules', await put(site, [open('/c')], { 'if-match': '*' }), 200);
  });

  describe('nothing changes when one rule is invalid:', () => {
    const groups = (rest: object) => ({ path: '/x', access: 'groups', ...rest });
    const id = '01980a34-19e7-7a90-8c6b-d3f1a5b2c4e6';
    const wrong: [string, unknown, string][] = [
      ['a path without a slash', open('x'), '/rules/1/path'],
      ['an empty path', open(''), '/rules/1/path'],
      ['a path that is too long', open(`/${'x'.repeat(500)}`), '/rules/1/path'],
      ['a path with a query', open('/x?a'), '/rules/1/path'],
      ['an encoded path', open('/%78'), '/rules/1/path'],
      ['a path with two slashes', open('/x//y'), '/rules/1/path'],
      ['a path that goes up', open('/x/../y'), '/rules/1/path'],
      ['a path with a backslash', open('/x\\y'), '/rules/1/path'],
      ['a path with a parameter', open('/x;y'), '/rules/1/path'],
      ['a path with a NUL', open('/x\u0000'), '/rules/1/path'],
      ['an index page', open('/x/index.html'), '/rules/1/path'],
      ['a path that already has a rule', open('/first/'), '/rules/1/path'],
      ['a path that differs only in case', open('/FIRST/a'), '/rules/1/path'],
      ['no path', { access: 'public' }, '/rules/1/path'],
      ['a path that is not a string', { path: 7, access: 'public' }, '/rules/1/path'],
      ['an unknown access', { path: '/x', access: 'everybody' }, '/rules/1/access'],
      ['no access', { path: '/x' }, '/rules/1/access'],
      ['no groups', groups({}), '/rules/1/groupIds'],
      ['an empty list of groups', groups({ groupIds: [] }), '/rules/1/groupIds'],
      ['a group that is not an id', groups({ groupIds: [id, 'x'] }), '/rules/1/groupIds/1'],
      ['groups that are not a list', groups({ groupIds: id }), '/rules/1/groupIds'],
      ['groups where they do not apply', { ...open('/x'), groupIds: [id] }, '/rules/1/groupIds'],
      ['a match where it does not apply', { ...open('/x'), match: 'all' }, '/rules/1/match'],
      ['an unknown match', groups({ groupIds: [id], match: 'none' }), '/rules/1/match'],
      ['an unknown field', { ...open('/x'), method: 'GET' }, '/rules/1/method'],
      ['null instead of a rule', null, '/rules/1'],
    ];

    test.each(wrong)('%s', async (_, rule, path) => {
      const site = await server.createSite();
      await set(site, [open('/kept')]);
      const before = await dumpSite(server.database, site.siteId);
      const answer = await put(site, [open('/first'), rule, open('/last')]);
      const error = expectResponse('replaceAccessRules', answer, 400, 'invalid_request');
      expect(error.details.map((each: { path: string }) => each.path)).toContain(path);
      expect(await dumpSite(server.database, site.siteId)).toEqual(before);
    });

    test.each([{}, { rules: null }, { rules: {} }, { rules: [], extra: 1 }, []])('%j', async (body) => {
      const site = await server.createSite();
      const answer = await site.request('PUT', '/access-rules', { body });
      expectResponse('replaceAccessRules', answer, 400, 'invalid_request');
      expect(await read(site)).toEqual({ rules: [], updatedAt: null });
    });
  });

  test('a site has at most 1,000 rules', async () => {
    const site = await server.createSite();
    const rules = Array.from({ length: 1_001 }, (_, index) => open(`/part-${index % 10}/page-${index}`));
    const error = expectResponse('replaceAccessRules', await put(site, rules), 400, 'invalid_request');
    expect(error.details[0].path).toBe('/rules');
    expect((await set(site, rules.slice(1))).rules).toHaveLength(1_000);
    const checks = [{ path: '/part-7/page-7/below' }, { path: '/part-0/page-0' }];
    const answer = await site.post('/access-checks', { checks });
    expect(expectResponse('checkAccess', answer, 200).data).toEqual([
      { allowed: true, reason: 'public', rule: open('/part-7/page-7'), alternatives: null },
      { allowed: false, reason: 'anonymous', rule: null, alternatives: null },
    ]);
  });

  describe('the names in all paths', () => {
    const hosts = Array.from({ length: 20 }, (_, index) => `h${index}.names.example.org`);
    const below = '/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t/u/v/w/x/y/z/1/2/3/4';
    const aSite = async () => {
      const id = randomUUID().slice(0, 8);
      const site = await server.createSite();
      const own = hosts.map((domain) => ({ domain: `${id}.${domain}` }));
      expectResponse('updateSite', await site.request('PATCH', '/site', { body: { hosts: own } }), 200);
      return { site, domains: own.map(({ domain }) => domain) };
    };

    test('are at most 20,000, counted once for each host of a rule', async () => {
      const { site, domains } = await aSite();
      const rules = Array.from({ length: 1_000 }, (_, index) => ({ ...open(`/${index}`), hosts: domains }));
      expect((await set(site, rules)).rules).toHaveLength(1_000);
      const before = await read(site);
      const deep = rules.map((rule) => ({ ...rule, path: `${rule.path}${below}` }));
      for (const [sent, count] of [
        [deep, '620,000'],
        [[...rules.slice(1), { ...rules[0]!, path: '/0/more' }], '20,020'],
        [deep.map(({ path }) => open(path)), '31,000'],
      ] as const) {
        const error = expectResponse('replaceAccessRules', await put(site, sent), 400, 'invalid_request');
        expect(error.details).toEqual([
          {
            path: '/rules',
            message: expect.stringContaining(`have ${count} names in all, and at most 20,000`),
          },
        ]);
      }
      expect(await read(site)).toEqual(before);
    });

    test('may have been more before: such rules still decide, at every host', async () => {
      const { site, domains } = await aSite();
      const rules = Array.from({ length: 1_000 }, (_, index) => ({
        ...open(`/${index}${below}`),
        hosts: domains.filter((_, host) => host !== index % 20),
      }));
      await set(site, []);
      await server.database.transaction(async (tx) => {
        await saveAccessRules(
          { db: tx, siteId: site.siteId, now: clock().toISOString() },
          JSON.stringify(rules),
        );
        await tx.signal();
      });
      const checks = domains.flatMap((host) =>
        [3, 4].map((index) => ({ host, path: `/${index}${below}/page` })),
      );
      const answer = await site.post('/access-checks', { checks });
      const isOpen = expectResponse('checkAccess', answer, 200).data.map(
        (each: AccessDecision) => each.allowed,
      );
      expect(isOpen).toEqual(domains.flatMap((_, host) => [3, 4].map((index) => index !== host)));
    });
  });

  test('the rules for a page and for its folder are changed each by itself', async () => {
    const site = await server.createSite();
    const folder = { path: '/', access: 'members' };
    const page = { path: '/', appliesTo: 'page', access: 'public' };
    expect((await set(site, [page, folder])).rules).toEqual([folder, page]);
    const changed = { ...page, queryParameters: ['lang'] };
    await set(site, [folder, changed]);
    await set(site, [folder]);
    const changes = (await events(site)).slice(1).map(({ data }) => data.changes);
    expect(changes).toEqual([
      [{ path: '/', from: page, to: changed }],
      [{ path: '/', from: changed, to: null }],
    ]);
  });

  describe('the groups of rules', () => {
    const by = (path: string, groupIds: string[], match = 'any') => ({
      path,
      access: 'groups',
      groupIds,
      match,
    });

    test('must exist, in every rule', async () => {
      const site = await server.createSite();
      const group = await aGroup(site);
      const gone = await aGroup(site);
      await site.delete(`/access-groups/${gone.id}`);
      await set(site, [by('/kept', [group.id])]);
      const member = await aMember(site);
      const before = await dumpSite(server.database, site.siteId);
      for (const groupId of [unknownId(), gone.id, member.id]) {
        const answer = await put(site, [by('/a', [group.id]), by('/b', [group.id, groupId])]);
        expectResponse('replaceAccessRules', answer, 404, 'access_group_not_found');
      }
      const alternatives = [{ access: 'paying_members' }, { access: 'members', groupIds: [gone.id] }];
      const conditional = { path: '/a', access: 'conditional', anyOf: alternatives };
      const answer = await put(site, [conditional]);
      expectResponse('replaceAccessRules', answer, 404, 'access_group_not_found');
      expect(await dumpSite(server.database, site.siteId)).toEqual(before);
    });

    test('may stay after they are deleted, and still deny access', async () => {
      const site = await server.createSite();
      const [gone, left] = [await aGroup(site), await aGroup(site)];
      const { id } = await aMember(site, { accessGroupIds: [gone.id, left.id] });
      const rules = [
        by('/all', [gone.id, left.id], 'all'),
        by('/any', [gone.id, left.id]),
        by('/only', [gone.id]),
      ];
      await set(site, rules);
      const allowed = async () => {
        const checks = rules.map(({ path }) => ({ memberId: id, path }));
        const answer = await site.post('/access-checks', { checks });
        return expectResponse('checkAccess', answer, 200).data.map(
          (each: { allowed: boolean }) => each.allowed,
        );
      };
      expect(await allowed()).toEqual([true, true, true]);
      await site.delete(`/access-groups/${gone.id}`);
      expect(await allowed()).toEqual([false, true, false]);
      expect((await read(site)).rules).toEqual(rules);

      const more = [...rules, by('/more', [gone.id])];
      expect((await set(site, more)).rules).toHaveLength(4);
      const unknown = await put(site, [...rules, by('/unknown', [unknownId()])]);
      expectResponse('replaceAccessRules', unknown, 404, 'access_group_not_found');
      await set(site, [open('/')]);
      expectResponse('replaceAccessRules', await put(site, rules), 404, 'access_group_not_found');
    });

    test('are at most 100 per rule, and all of them are checked', async () => {
      const site = await server.createSite();
      const groups = [await aGroup(site), await aGroup(site)].map(({ id }) => id);
      await set(
        site,
        Array.from({ length: 300 }, (_, index) => by(`/r${index}`, groups)),
      );
      const unknown = Array.from({ length: 1_100 }, unknownId);
      const spread = Array.from({ length: 11 }, (_, index) =>
        by(`/s${index}`, unknown.slice(index * 100, index * 100 + 100)),
      );
      expectResponse('replaceAccessRules', await put(site, spread), 404, 'access_group_not_found');
      const tooMany = await put(site, [by('/s', unknown.slice(0, 101))]);
      const error = expectResponse('replaceAccessRules', tooMany, 400, 'invalid_request');
      expect(error.details[0].path).toBe('/rules/0/groupIds');
    });
  });

  test('of several concurrent replacements with If-Match, one succeeds', async () => {
    const site = await server.createSite();
    const seen = (await site.get('/access-rules')).headers.get('etag')!;
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => put(site, [open(`/r${index}`)], { 'if-match': seen })),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, ...Array(7).fill(412)]);
    expect(await events(site)).toHaveLength(1);
  });
});
