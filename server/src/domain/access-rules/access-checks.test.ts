import type { AccessDecision, AccessRule } from '@gatehouse/contract';
import fc from 'fast-check';
import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { expectResponse } from '../../../test/contract/answers.ts';
import { dumpSite } from '../../../test/contract/dump.ts';
import {
  aDomain,
  aGroup,
  aMember,
  aMembership,
  aScopeGroup,
  aScopeMembership,
  aSession,
  unknownId,
} from '../../../test/contract/given.ts';
import { effort } from '../../../test/effort.ts';
import { hour, movableTime } from '../../../test/movable-time.ts';
import { forEachStore } from '../../../test/stores.ts';
import { type TestSite, visit } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';

forEachStore((store) => {
  const { clock, advance } = movableTime();
  const server = useTestServer(store, {
    clock,
    settings: { trustedProxies: ['127.0.0.1'], loginLimitClient: 0 },
  });

  const setRules = async (site: TestSite, rules: readonly AccessRule[]): Promise<AccessRule[]> => {
    const answer = await site.request('PUT', '/access-rules', { body: { rules } });
    return expectResponse('replaceAccessRules', answer, 200).data.rules;
  };
  const check = async (site: TestSite, checks: object[]): Promise<AccessDecision[]> =>
    expectResponse('checkAccess', await site.post('/access-checks', { checks }), 200).data;
  const unknown = { allowed: false, reason: 'unknown_member', rule: null, alternatives: null };

  test('rules of the request decide instead of the saved ones, which go on to decide about visitors', async () => {
    const site = await server.createSite();
    await aDomain(site);
    const group = await aGroup(site);
    const member = await aMember(site, { accessGroupIds: [group.id] });
    await setRules(site, [{ path: '/', access: 'public' }]);
    const saved = (await site.get('/access-rules')).body;
    const rules: AccessRule[] = [
      { path: '/course/', access: 'groups', groupIds: [group.id] },
      { path: '/', access: 'paying_members' },
    ];
    const checks = [
      { path: '/course/1', memberId: member.id },
      { path: '/', memberId: member.id },
      { path: '/' },
    ];
    const tried = expectResponse(
      'checkAccess',
      await site.post('/access-checks', { checks, rules }),
      200,
    ).data;
    expect(tried.map(({ reason, rule }: AccessDecision) => [reason, rule?.path])).toEqual([
      ['group_member', '/course'],
      ['not_paying', '/'],
      ['anonymous', '/'],
    ]);
    expect((await check(site, checks)).map(({ reason }) => reason)).toEqual(['public', 'public', 'public']);
    const none = expectResponse(
      'checkAccess',
      await site.post('/access-checks', { checks, rules: [] }),
      200,
    ).data;
    expect(none.map(({ reason }: AccessDecision) => reason)).toEqual(['member', 'member', 'anonymous']);
    expect((await site.get('/access-rules')).body).toEqual(saved);
  });

  test('rules of the request are rejected like a replacement, with the same pointers', async () => {
    const site = await server.createSite();
    const invalid: AccessRule[][] = [
      [
        { path: '/a', access: 'public' },
        { path: '/b?c', access: 'public' },
      ],
      [{ path: '/', access: 'public', hosts: ['unknown.example.com'] }],
      [{ path: '/', access: 'conditional', anyOf: [{ access: 'public' }] }],
      [{ path: '/', access: 'groups', groupIds: [unknownId()] }],
      [{ path: '/', access: 'code', pageCodeIds: [unknownId()] }],
    ];
    for (const rules of invalid) {
      const error = (await site.post('/access-checks', { checks: [{ path: '/' }], rules })).body.error;
      const replaced = await site.request('PUT', '/access-rules', { body: { rules } });
      expect({ ...error, requestId: '' }).toEqual({ ...replaced.body.error, requestId: '' });
      expect(replaced.status).toBeGreaterThanOrEqual(400);
    }
  });

  test('each result has the reason and the deciding rule', async () => {
    const site = await server.createSite();
    const [group, other] = [await aGroup(site), await aGroup(site)];
    const [open, members, paying, some, every] = await setRules(site, [
      { path: '/', access: 'public' },
      { path: '/a', access: 'members' },
      { path: '/b', access: 'paying_members' },
      { path: '/c', access: 'groups', groupIds: [group.id, other.id] },
      { path: '/d', access: 'groups', groupIds: [group.id, other.id], match: 'all' },
    ]);
    const [plain, payer, half, whole, blocked] = [
      await aMember(site),
      await aMember(site, { paid: true }),
      await aMember(site, { accessGroupIds: [group.id] }),
      await aMember(site, { accessGroupIds: [group.id, other.id] }),
      await aMember(site, { paid: true, accessGroupIds: [group.id, other.id] }),
    ];
    await site.patch(`/members/${blocked.id}`, { status: 'blocked' });
    const expected: [string | undefined, string, string, boolean, AccessRule | null | undefined][] = [
      [undefined, '/', 'public', true, open],
      [undefined, '/elsewhere?a=/a', 'public', true, open],
      [undefined, '/a', 'anonymous', false, members],
      [undefined, '/d/below', 'anonymous', false, every],
      [plain.id, '/', 'public', true, open],
      [plain.id, '/a/below', 'member', true, members],
      [plain.id, '/b', 'not_paying', false, paying],
      [plain.id, '/c', 'not_in_groups', false, some],
      [payer.id, '/b', 'paying_member', true, paying],
      [half.id, '/c', 'group_member', true, some],
      [half.id, '/d', 'not_in_groups', false, every],
      [whole.id, '/d', 'group_member', true, every],
      [blocked.id, '/', 'public', true, open],
      [blocked.id, '/a', 'blocked', false, members],
      [blocked.id, '/b', 'blocked', false, paying],
      [blocked.id, '/d', 'blocked', false, every],
      [whole.id, '/A', 'ambiguous_path', false, null],
      [whole.id, '/a-', 'ambiguous_path', false, null],
      [undefined, '/%C3%A1/below', 'ambiguous_path', false, null],
      [undefined, '/a-2', 'public', true, open],
      [undefined, '/a/../b', 'ambiguous_path', false, null],
      [undefined, 'a', 'ambiguous_path', false, null],
    ];
    const checks = expected.map(([memberId, path]) => ({ ...(memberId && { memberId }), path }));
    expect(await check(site, checks)).toEqual(
      expected.map(([, , reason, allowed, rule]) => ({ allowed, reason, rule, alternatives: null })),
    );
  });

  test('a site without rules is accessible only to its members', async () => {
    const site = await server.createSite();
    const { id } = await aMember(site);
    expect(await check(site, [{ memberId: id, path: '/' }, { path: '/' }])).toEqual([
      { allowed: true, reason: 'member', rule: null, alternatives: null },
      { allowed: false, reason: 'anonymous', rule: null, alternatives: null },
    ]);
  });

  test('a member is identified by id, by email address, or by both if they match', async () => {
    const site = await server.createSite();
    const [ada, eve] = [await aMember(site, { email: 'ada.checks@example.com' }), await aMember(site)];
    const member = { allowed: true, reason: 'member', rule: null, alternatives: null };
    const path = '/';
    expect(
      await check(site, [
        { memberId: ada.id, path },
        { email: ada.email, path },
        { email: ada.email.toUpperCase(), path },
        { memberId: ada.id, email: ada.email, path },
        { memberId: ada.id, email: eve.email, path },
        { memberId: ada.id, email: 'nobody@example.com', path },
        { memberId: unknownId(), email: ada.email, path },
        { memberId: unknownId(), path },
        { email: 'nobody@example.com', path },
        { email: 'no address', path },
      ]),
    ).toEqual([...Array(4).fill(member), ...Array(6).fill(unknown)]);
    expect(await check(site, [{ memberId: ada.id.toUpperCase(), path }])).toEqual([member]);
  });

  test('an unknown member has access to nothing, not even to public paths', async () => {
    const site = await server.createSite();
    await setRules(site, [{ path: '/', access: 'public' }]);
    const { id, email } = await aMember(site);
    await site.delete(`/members/${id}`);
    for (const who of [{ memberId: id }, { email }, { memberId: unknownId() }]) {
      expect(await check(site, [{ ...who, path: '/' }])).toEqual([unknown]);
    }
  });

  test('memberships count until they expire, including those of scope groups', async () => {
    const site = await server.createSite();
    const [group, scope, member] = [await aGroup(site), await aScopeGroup(server, site), await aMember(site)];
    await setRules(site, [
      { path: '/group', access: 'groups', groupIds: [group.id] },
      { path: '/scope', access: 'groups', groupIds: [scope.id] },
    ]);
    const checks = ['/group', '/scope'].map((path) => ({ memberId: member.id, path }));
    const reasons = async () => (await check(site, checks)).map(({ reason }) => reason);
    expect(await reasons()).toEqual(['not_in_groups', 'not_in_groups']);
    await aMembership(site, group.id, member.id, new Date(clock().getTime() + hour).toISOString());
    await aScopeMembership(server, site, scope.id, member.id);
    expect(await reasons()).toEqual(['group_member', 'group_member']);
    advance(hour);
    expect(await reasons()).toEqual(['not_in_groups', 'group_member']);
  });

  test('a suspended site is denied to everyone', async () => {
    const site = await server.createSite();
    await setRules(site, [{ path: '/', access: 'public' }]);
    const { id } = await aMember(site);
    await server.database.transaction(async (tx) => {
      await tx.run(sql`UPDATE sites SET status = 'suspended' WHERE id = ${site.siteId}`);
      await tx.signal();
    });
    const denied = { allowed: false, reason: 'site_suspended', rule: null, alternatives: null };
    expect(await check(site, [{ path: '/' }, { memberId: id, path: '/' }])).toEqual([denied, denied]);
  });

  describe('the checks', () => {
    test('are at most 100, with results in the same order', async () => {
      const site = await server.createSite();
      const rules = await setRules(
        site,
        Array.from({ length: 50 }, (_, index) => ({ path: `/${index + 10}`, access: 'public' as const })),
      );
      const people = [await aMember(site), await aMember(site)];
      const checks = Array.from({ length: 101 }, (_, index) => ({
        ...(index % 3 !== 2 && { memberId: people[index % 3]!.id }),
        path: `/${10 + (index % 50)}`,
      }));
      const answers = await check(site, checks.slice(1));
      expect(answers.map(({ rule }) => rule)).toEqual(
        checks.slice(1).map((_, index) => rules[(index + 1) % 50]),
      );
      const error = expectResponse('checkAccess', await site.post('/access-checks', { checks }), 400);
      expect(error.details[0].path).toBe('/checks');
    });

    test.each([
      [[], '/checks'],
      [[{}], '/checks/0/path'],
      [[{ path: '/' }, { path: '' }], '/checks/1/path'],
      [[{ path: '/' }, { path: `/${'x'.repeat(4_096)}` }], '/checks/1/path'],
      [[{ path: '/', memberId: 'x' }], '/checks/0/memberId'],
      [[{ path: '/', memberId: null }], '/checks/0/memberId'],
      [[{ path: '/', email: `${'x'.repeat(1_000)}@example.com` }], '/checks/0/email'],
      [[{ path: '/', groupId: unknownId() }], '/checks/0/groupId'],
      [null, '/checks'],
    ])('%j is rejected', async (checks, path) => {
      const site = await server.createSite();
      const answer = await site.post('/access-checks', { checks });
      const error = expectResponse('checkAccess', answer, 400, 'invalid_request');
      expect(error.details.map((each: { path: string }) => each.path)).toContain(path);
    });

    test('have no side effects', async () => {
      const site = await server.createSite();
      const { id, email } = await aMember(site);
      const before = await dumpSite(server.database, site.siteId);
      await check(site, [{ memberId: id, path: '/' }, { email, path: '/' }, { path: '/' }]);
      expect(await dumpSite(server.database, site.siteId)).toEqual(before);
    });
  });

  test('the results match the gate and verified sessions, for every rule tree, member and path', async () => {
    const site = await server.createSite();
    const host = await aDomain(site);
    const groups = [await aGroup(site), await aGroup(site), await aGroup(site)].map(({ id }) => id);
    const people: { memberId?: string; token?: string }[] = [{}];
    for (const values of [
      {},
      { paid: true },
      { accessGroupIds: groups.slice(0, 1) },
      { accessGroupIds: groups.slice(0, 2), paid: true },
      { accessGroupIds: groups.slice(1) },
    ]) {
      const { id } = await aMember(site, values);
      const { token } = await aSession(site, id);
      people.push({ memberId: id, token });
    }

    /** The gate's replies for nginx, and for Traefik and Caddy. */
    async function checkGate(kind: string, path: string, token: string | undefined): Promise<number> {
      const headers = {
        'x-forwarded-host': host,
        [kind === 'auth' ? 'x-original-uri' : 'x-forwarded-uri']: path,
        ...(token && { cookie: `__Host-gatehouse_session=${token}` }),
      };
      return (await visit(server.address, 'GET', `/_gatehouse/${kind}`, { headers })).status;
    }

    const name = fc.constantFrom('a', 'b', 'b.html', 'été', 'a b');
    const path = fc.array(name, { maxLength: 3 }).map((names) => `/${names.join('/')}`);
    const rule = fc.oneof(
      fc.record({ path, access: fc.constantFrom('public', 'members', 'paying_members') }),
      fc.record({
        path,
        access: fc.constant('groups'),
        groupIds: fc.subarray(groups, { minLength: 1 }),
        match: fc.constantFrom('any', 'all'),
      }),
    ) as fc.Arbitrary<AccessRule>;
    const rules = fc.uniqueArray(rule, { maxLength: 8, selector: (each) => each.path });
    const trick = fc.constantFrom(
      '',
      '/',
      '//',
      '/.',
      '/..',
      '?',
      '?/b',
      '%2f',
      '%00',
      ';x',
      '.',
      '.HTML',
      '\\',
    );
    const target = fc.oneof(
      { weight: 4, arbitrary: path.map(encodeURI) },
      {
        weight: 2,
        arbitrary: fc.tuple(path.map(encodeURI), trick, path.map(encodeURI)).map((parts) => parts.join('')),
      },
      { weight: 1, arbitrary: path.map((each) => encodeURI(each.toUpperCase())) },
      {
        weight: 1,
        arbitrary: fc.string({
          unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
          minLength: 1,
        }),
      },
    );
    const seen = new Set<string>();
    // Random trees may not produce every reason; this one does.
    const everyReason: [AccessRule[], string[]] = [
      [
        { path: '/', access: 'public' },
        { path: '/a', access: 'members' },
        { path: '/b', access: 'paying_members' },
        { path: '/a/b', access: 'groups', groupIds: groups.slice(0, 1), match: 'any' },
      ],
      ['/', '/a', '/b', '/a/b', '/a%2fb'],
    ];
    await fc.assert(
      fc.asyncProperty(rules, fc.array(target, { minLength: 1, maxLength: 3 }), async (tree, targets) => {
        const saved = await setRules(site, tree);
        const cases = targets.flatMap((each) => people.map((person) => ({ ...person, path: each })));
        const answers = await check(
          site,
          cases.map(({ memberId, path: requested }) => ({ ...(memberId && { memberId }), path: requested })),
        );
        for (const [index, { path: requested, token = null }] of cases.entries()) {
          const { allowed, reason, rule: decided } = answers[index]!;
          seen.add(reason);
          if (decided) expect(saved).toContainEqual(decided);
          const denied = reason === 'anonymous' ? 401 : 403;
          const auth = allowed ? 204 : denied;
          for (const kind of ['auth', 'forward-auth'] as const)
            expect(await checkGate(kind, requested, token ?? undefined), `${kind} ${requested}`).toBe(auth);
          const verified = await site.post('/sessions/verify', { token, path: requested });
          expect(verified.body.data.access).toEqual(answers[index]);
        }
      }),
      { numRuns: effort.comparedTrees, examples: [everyReason] },
    );
    expect([...seen].sort()).toEqual([
      'ambiguous_path',
      'anonymous',
      'group_member',
      'member',
      'not_in_groups',
      'not_paying',
      'paying_member',
      'public',
    ]);
  });
});
