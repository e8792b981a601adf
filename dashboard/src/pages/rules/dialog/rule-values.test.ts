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

const code = { access: 'code' as const, pageCodeIds: ['c'] };

test.each<AccessRule>([
  { path: '/', access: 'public' },
  { path: '/', appliesTo: 'page', queryParameters: ['lang'], access: 'members' },
  { path: '/', hosts: ['forum.example.org', 'wiki.example.org'], access: 'members' },
  { path: '/podcast', acceptsTokenInUrl: true, access: 'members' },
  { path: '/pluginfile.php', programPaths: true, access: 'members' },
  { path: '/api', preflights: true, access: 'members' },
  { path: '/courses', access: 'groups', groupIds: ['a'], match: 'all' },
  conditional,
  { path: '/class', access: 'code', pageCodeIds: ['c', 'd'] },
  { path: '/class', access: 'conditional', anyOf: [{ access: 'members' }, code] },
  {
    path: '/class',
    access: 'conditional',
    anyOf: [{ access: 'members', groupIds: ['a'], match: 'all' }, code],
  },
  { path: '/class', access: 'conditional', anyOf: [code, { access: 'members' }] },
  {
    path: '/class',
    access: 'conditional',
    anyOf: [{ access: 'paying_members', groupIds: ['a'], match: 'any' }, code],
  },
  {
    path: '/class',
    access: 'conditional',
    anyOf: [{ access: 'members' }, { ...code, until: '2026-03-31T22:00:00.000Z' }],
  },
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

test('a page code beside members is a choice of its own, and not a condition', () => {
  const rule: AccessRule = { path: '/class', access: 'conditional', anyOf: [{ access: 'members' }, code] };
  const values = toRuleValues(rule);
  expect(values).toMatchObject({ access: 'members', alsoCode: true, pageCodeIds: ['c'] });
  expect(toRule({ ...values, alsoCode: false })).toEqual({ path: '/class', access: 'members' });
  expect(toRule({ ...values, access: 'public' })).toEqual({ path: '/class', access: 'public' });
  const groups = { ...values, access: 'groups' as const, groupIds: ['a'], match: 'all' as const };
  expect(toRule(groups)).toMatchObject({
    anyOf: [{ access: 'members', groupIds: ['a'], match: 'all' }, code],
  });
  const missing = { pageCodeIds: ['codesMissing'] };
  expect(ruleFaults({ ...values, pageCodeIds: [] }, [])).toEqual(missing);
  expect(ruleFaults({ ...values, access: 'code', pageCodeIds: [] }, [])).toEqual(missing);
  expect(ruleFaults({ ...values, access: 'public', pageCodeIds: [] }, [])).toEqual({});
});

test('a rule passes on every path only if no other rule is for a part of them', () => {
  const values = toRuleValues({ path: '/app/', programPaths: true, access: 'public' });
  expect(ruleFaults(values, [{ path: '/' }, { path: '/app2' }])).toEqual({});
  expect(ruleFaults(values, [{ path: '/App/admin' }])).toMatchObject({ path: ['fault.spelling', {}] });
  expect(ruleFaults(values, [{ path: '/app/admin' }])).toEqual({
    programPaths: ['programPathsTaken', { path: '/app/admin' }],
  });
  expect(ruleFaults({ ...values, path: '/app*' }, [])).toEqual({ programPaths: ['programPathsNames'] });
  const program = toRule(values);
  for (const below of [{ path: '/app/admin' }, { path: '/app', appliesTo: 'page' as const }]) {
    const rule = toRuleValues({ ...below, access: 'members' });
    expect(ruleFaults(rule, [program])).toEqual({ path: ['fault.belowProgram', { program: '/app' }] });
  }
  expect(toRule({ ...values, appliesTo: 'page' })).toEqual({
    path: '/app',
    appliesTo: 'page',
    access: 'public',
  });
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
          { ...second!, access: 'code' },
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
    'alternatives.3.pageCodeIds': ['codesMissing'],
  });
  const groups = toRuleValues({ path: '/', access: 'groups', groupIds: [] });
  expect(ruleFaults(groups, [])).toEqual({ groupIds: ['groupsMissing'] });
});
