import type { AccessRule } from '@gatehouse/client';
import { expect, test } from 'vitest';
import { ruleFaults, toRule, toRuleValues } from './rule-values.ts';

const conditional: AccessRule = {
  path: '/courses',
  access: 'conditional',
  anyOf: [
    { access: 'members', groupIds: ['a', 'b'], match: 'all', from: '2026-01-01T00:00:59.999Z' },
    { access: 'paying_members' },
    { access: 'public', until: '2026-03-31T22:00:00.000Z', networks: ['192.0.2.0/24', '2001:db8::/32'] },
  ],
};

test.each<AccessRule>([
  { path: '/', access: 'public' },
  { path: '/', appliesTo: 'page', queryParameters: ['lang'], access: 'members' },
  { path: '/', hosts: ['forum.example.org', 'wiki.example.org'], access: 'members' },
  { path: '/podcast', feed: true, access: 'members' },
  { path: '/courses', access: 'groups', groupIds: ['a'], match: 'all' },
  conditional,
])('a rule that is not edited remains as it is: %o', (rule) => {
  const values = toRuleValues(rule);
  expect(toRule(values)).toEqual(rule);
  expect(ruleFaults(values, [])).toEqual({});
});

test('what was entered for another kind of rule is left out', () => {
  const values = {
    ...toRuleValues({
      path: '/',
      appliesTo: 'page',
      queryParameters: ['a b'],
      access: 'groups',
      groupIds: [],
    }),
    appliesTo: 'folder',
    access: 'public',
  } as const;
  expect(ruleFaults(values, [])).toEqual({});
  expect(toRule(values)).toEqual({ path: '/', access: 'public' });
  const [first] = toRuleValues(conditional).alternatives;
  const everyone = { ...toRuleValues(conditional), alternatives: [{ ...first!, access: 'public' as const }] };
  expect(toRule(everyone)).toMatchObject({ anyOf: [{ access: 'public', from: '2026-01-01T00:00:59.999Z' }] });
  expect(toRule(everyone)).not.toHaveProperty('anyOf.0.groupIds');
});

test('what the service would reject has an error at its field', () => {
  const values = toRuleValues(conditional);
  const [first, second, third] = values.alternatives;
  expect(
    ruleFaults(
      {
        ...values,
        path: '/courses/*',
        appliesTo: 'page',
        queryParameters: ['lang', 'a b'],
        alternatives: [
          { ...first!, until: first!.from },
          { ...second!, access: 'public' },
          { ...third!, from: 'invalid', networks: ['192.0.2.0/24', 'office'] },
        ],
      },
      [],
    ),
  ).toEqual({
    path: ['fault.wildcard', { folder: '/courses' }],
    queryParameters: ['queryParameterWrong', { name: 'a b' }],
    'alternatives.0.until': ['alternative.untilBeforeFrom'],
    'alternatives.1.access': ['alternative.unlimited'],
    'alternatives.2.from': ['alternative.timeRange'],
    'alternatives.2.networks': ['alternative.networkWrong', { network: 'office' }],
  });
  const groups = toRuleValues({ path: '/', access: 'groups', groupIds: [] });
  expect(ruleFaults(groups, [])).toEqual({ groupIds: ['groupsMissing'] });
});
