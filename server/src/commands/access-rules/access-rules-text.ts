import type { AccessRule, AccessRules } from '@gatehouse/contract';
import type { Addition, Calls } from '../api/addition.ts';
import { type AnyShape, everyItem, type SiteApi } from '../api/calls/site-api.ts';
import { table } from '../shared/output.ts';

type Names = ReadonlyMap<string, string>;

export const rulesTable: Addition = { text: accessRulesText };

/** The rules as a table, with the names of groups and the labels of page codes. */
async function accessRulesText({ rules }: AccessRules, { api }: Calls): Promise<string> {
  if (rules.length === 0) return 'There are no access rules yet: every path is for members.';
  const text = JSON.stringify(rules);
  const names: Names = new Map([
    ...(text.includes('"groupIds"') ? await namesIn(api, 'listAccessGroups', 'name') : []),
    ...(text.includes('"pageCodeIds"') ? await namesIn(api, 'listPageCodes', 'label') : []),
  ]);
  const columns: [heading: string, cell: (rule: AccessRule) => string | null][] = [
    ['PATH', ({ path }) => path],
    ['APPLIES TO', ({ appliesTo }) => appliesTo ?? 'folder'],
    ['ACCESS', ({ access }) => access],
    ['GROUPS', (rule) => (rule.access === 'groups' ? groupsOf(rule, names) : null)],
    ['PAGE CODES', (rule) => (rule.access === 'code' ? codesOf(rule, names) : null)],
    ['CONDITIONS', (rule) => (rule.access === 'conditional' ? conditionsOf(rule, names) : null)],
    ['HOSTS', ({ hosts }) => hosts?.join(', ') ?? null],
    ['OPTIONS', (rule) => optionsOf(rule) || null],
  ];
  const shown = columns.filter(([, cell]) => rules.some((rule) => cell(rule) !== null));
  return table(
    shown.map(([heading]) => heading),
    rules.map((rule) => shown.map(([, cell]) => cell(rule))),
  );
}

/** Empty if the key of a service may not read them: the IDs are shown instead. */
async function namesIn(
  api: SiteApi,
  list: 'listAccessGroups' | 'listPageCodes',
  property: 'name' | 'label',
): Promise<Names> {
  const names = new Map<string, string>();
  try {
    for await (const item of everyItem(api, list, {})) {
      const { id, [property]: name } = item as AnyShape;
      names.set(id, name);
    }
  } catch (error) {
    if ((error as { code?: string }).code !== 'permission_denied') throw error;
  }
  return names;
}

interface Groups {
  readonly groupIds?: readonly string[];
  readonly match?: 'any' | 'all';
}

function groupsOf({ groupIds = [], match }: Groups, names: Names): string {
  const all = match === 'all' && groupIds.length > 1 ? 'all of ' : '';
  return all + groupIds.map((id) => names.get(id) ?? id).join(', ');
}

function codesOf({ pageCodeIds = [] }: { readonly pageCodeIds?: readonly string[] }, names: Names): string {
  return pageCodeIds.map((id) => names.get(id) ?? id).join(', ');
}

function conditionsOf({ anyOf }: Extract<AccessRule, { access: 'conditional' }>, names: Names): string {
  return anyOf
    .map(({ access, from, until, networks, pageCodeIds, ...groups }) =>
      [
        access,
        pageCodeIds && codesOf({ pageCodeIds }, names),
        groups.groupIds && `in ${groupsOf(groups, names)}`,
        from && `from ${from}`,
        until && `until ${until}`,
        networks && `at ${networks.join(', ')}`,
      ]
        .filter(Boolean)
        .join(' '),
    )
    .join('; or ');
}

function optionsOf({ queryParameters, acceptsTokenInUrl, programPaths, preflights }: AccessRule): string {
  return [
    queryParameters && queryParameters.length > 0 && `query parameters ${queryParameters.join(', ')}`,
    acceptsTokenInUrl && 'token in URL',
    programPaths && 'program paths',
    preflights && 'preflights',
  ]
    .filter(Boolean)
    .join('; ');
}
