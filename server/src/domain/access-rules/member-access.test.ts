import type { AccessRule, RuleDecision } from '@gatehouse/contract';
import { expect, test } from 'vitest';
import { expectResponse } from '../../../test/contract/answers.ts';
import { aGroup, aMember, aMembership, unknownId } from '../../../test/contract/given.ts';
import { forEachStore } from '../../../test/stores.ts';
import type { TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';

forEachStore((store) => {
  const server = useTestServer(store);

  /** A site with a rule of each kind, and a group and a page code that they name. */
  async function aSiteWithRules() {
    const site = await server.createSite();
    const group = await aGroup(site);
    const pageCodeIds = [await site.storePageCode()];
    const rules: AccessRule[] = [
      { path: '/', access: 'members' },
      { path: '/', appliesTo: 'page', access: 'public' },
      { path: '/code', access: 'code', pageCodeIds },
      { path: '/course', access: 'groups', groupIds: [group.id] },
      {
        path: '/library',
        access: 'conditional',
        anyOf: [
          { access: 'public', networks: ['192.0.2.0/24'] },
          { access: 'members', groupIds: [group.id] },
          { access: 'paying_members', until: '2020-01-01T00:00:00.000Z' },
          { access: 'code', pageCodeIds },
        ],
      },
      { path: '/paid-*', access: 'paying_members' },
    ];
    expectResponse(
      'replaceAccessRules',
      await site.request('PUT', '/access-rules', { body: { rules } }),
      200,
    );
    return { site, group };
  }

  async function accessOf(site: TestSite, memberId: string): Promise<RuleDecision[]> {
    return expectResponse('listMemberAccess', await site.get(`/members/${memberId}/access`), 200).data;
  }

  const linesOf = (decisions: RuleDecision[]) =>
    decisions.map(({ rule, reason, allowed }) => `${rule.path} ${reason} ${allowed}`);

  test('every rule is listed with the decision about a member, and the reason', async () => {
    const { site, group } = await aSiteWithRules();
    const member = await aMember(site);
    expect(linesOf(await accessOf(site, member.id))).toEqual([
      '/ member true',
      '/ public true',
      '/code code_required false',
      '/course not_in_groups false',
      '/library condition_not_met false',
      '/paid-* not_paying false',
    ]);
    await aMembership(site, group.id, member.id);
    await site.patch(`/members/${member.id}`, { paid: true });
    const access = await accessOf(site, member.id);
    expect(linesOf(access)).toEqual([
      '/ member true',
      '/ public true',
      '/code code_required false',
      '/course group_member true',
      '/library condition_met true',
      '/paid-* paying_member true',
    ]);
    expect(access.map(({ rule }) => rule)).toEqual((await site.get('/access-rules')).body.data.rules);
  });

  test('a conditional rule shows what each alternative lacks; without an IP address, that is the network', async () => {
    const { site } = await aSiteWithRules();
    const [library] = (await accessOf(site, (await aMember(site)).id)).filter(
      ({ alternatives }) => alternatives,
    );
    expect(library?.alternatives).toEqual(['networks', 'groups', 'until', 'code']);
  });

  test('a blocked member has access to what is public, and to nothing else', async () => {
    const { site, group } = await aSiteWithRules();
    const member = await aMember(site, { paid: true });
    await aMembership(site, group.id, member.id);
    await site.patch(`/members/${member.id}`, { status: 'blocked' });
    expect(linesOf(await accessOf(site, member.id)).filter((line) => line.endsWith('true'))).toEqual([
      '/ public true',
    ]);
  });

  test('each decision is that of a check of a path to which only the rule applies', async () => {
    const { site, group } = await aSiteWithRules();
    const member = await aMember(site);
    await aMembership(site, group.id, member.id);
    const paths = ['/other', '/', '/code/a', '/course/a', '/library', '/paid-a'];
    const checks = paths.map((path) => ({ path, memberId: member.id }));
    const decisions = expectResponse('checkAccess', await site.post('/access-checks', { checks }), 200).data;
    expect(await accessOf(site, member.id)).toEqual(decisions);
  });

  test('both permissions are needed, for members and for rules', async () => {
    const { site } = await aSiteWithRules();
    const { id } = await aMember(site);
    for (const permission of ['members:read', 'site:read'] as const) {
      const { secret } = await site.createKey({ permissions: [permission] });
      const answer = await site.get(`/members/${id}/access`, { authorization: `Bearer ${secret}` });
      expectResponse('listMemberAccess', answer, 403, 'permission_denied');
    }
    const unknown = await site.get(`/members/${unknownId()}/access`);
    expectResponse('listMemberAccess', unknown, 404, 'member_not_found');
  });
});
