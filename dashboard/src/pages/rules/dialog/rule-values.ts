import type { AccessAlternative, AccessLevel, AccessRule, GroupMatch } from '@gatehouse/client';
import { isWildcard, type ProgramPlace } from '@gatehouse/contract/rule-paths';
import { isCombinable, orCode, toAccessValues } from '../../../components/access/access-values.ts';
import {
  type AlternativeValues,
  alternativeFaults,
  type FieldFault,
  toAlternative,
  toAlternativeValues,
} from '../conditions/alternative-values.ts';
import { pathFault, ruleBelow, tidyPath } from '../rule-tree.ts';

/** The fields of a rule in the form. They keep what was entered for another kind of access. */
export interface RuleValues {
  path: string;
  appliesTo: 'folder' | 'page';
  queryParameters: string[];
  /** Empty for all hosts. */
  hosts: string[];
  acceptsTokenInUrl: boolean;
  /** Only for a folder. */
  programPaths: boolean;
  preflights: boolean;
  access: AccessLevel;
  groupIds: string[];
  match: GroupMatch;
  pageCodeIds: string[];
  /** Whether one of the codes also gives access; for a rule for members. */
  alsoCode: boolean;
  alternatives: AlternativeValues[];
}

export function toRuleValues(rule: AccessRule): RuleValues {
  const { access, groupIds, match, pageCodeIds } = toAccessValues(rule);
  const anyOf = rule.access === 'conditional' ? rule.anyOf : [{ access: 'members' as const }];
  return {
    path: rule.path,
    appliesTo: rule.appliesTo ?? 'folder',
    queryParameters: rule.queryParameters ?? [],
    hosts: rule.hosts ?? [],
    acceptsTokenInUrl: rule.acceptsTokenInUrl ?? false,
    programPaths: rule.programPaths ?? false,
    preflights: rule.preflights ?? false,
    access,
    groupIds,
    match,
    pageCodeIds,
    alsoCode: access !== 'code' && pageCodeIds.length > 0,
    alternatives: anyOf.map(toAlternativeValues),
  };
}

/** The rule as the service stores it. The values must have no faults. */
export function toRule(values: RuleValues): AccessRule {
  const { appliesTo, queryParameters, hosts, access, groupIds, match, alternatives } = values;
  const place = {
    path: tidyPath(values.path),
    ...(appliesTo === 'page' && { appliesTo }),
    ...(appliesTo === 'page' && queryParameters.length > 0 && { queryParameters }),
    ...(hosts.length > 0 && { hosts: [...hosts].sort() }),
    ...(values.acceptsTokenInUrl && { acceptsTokenInUrl: true }),
    ...(appliesTo === 'folder' && values.programPaths && { programPaths: true }),
    ...(values.preflights && { preflights: true }),
  };
  if (acceptsCode(values)) return { ...place, access: 'conditional', anyOf: orCode(values) };
  if (access === 'groups') return { ...place, access, groupIds, match };
  if (access === 'code') return { ...place, access, pageCodeIds: [...values.pageCodeIds] };
  if (access === 'conditional') return { ...place, access, anyOf: alternatives.map(toAlternative) };
  return { ...place, access };
}

/** Whether a rule has more than a path and who has access. */
export function usesMore(values: RuleValues): boolean {
  const { appliesTo, hosts, access, acceptsTokenInUrl, programPaths, preflights } = values;
  const isMore = appliesTo === 'page' || hosts.length > 0 || access === 'conditional' || acceptsCode(values);
  return isMore || acceptsTokenInUrl || programPaths || preflights;
}

/** Whether a field with an error is among those that most rules do not need. */
export function isInMore(field: string, { access }: RuleValues): boolean {
  return ['queryParameters', 'programPaths', ...(access === 'code' ? [] : ['pageCodeIds'])].includes(field);
}

/** The same access as conditions, to which others can be added. */
export function asConditional(values: RuleValues): Pick<RuleValues, 'access' | 'alternatives'> {
  return { access: 'conditional', alternatives: alternativesFrom(values).map(toAlternativeValues) };
}

function alternativesFrom(values: RuleValues): AccessAlternative[] {
  const { access, groupIds, match, pageCodeIds } = values;
  if (acceptsCode(values)) return orCode(values);
  if (access === 'groups') return [{ access: 'members', groupIds, match }];
  if (access === 'code') return [{ access, pageCodeIds }];
  return [{ access: access === 'paying_members' ? access : 'members' }];
}

/** Whether a page code also gives access, besides what is chosen for members. */
function acceptsCode({ access, alsoCode }: Pick<RuleValues, 'access' | 'alsoCode'>): boolean {
  return alsoCode && isCombinable(access);
}

/** What the service would reject, by the name of the field. */
export function ruleFaults(values: RuleValues, others: readonly ProgramPlace[]): Record<string, FieldFault> {
  const { appliesTo, queryParameters, access, groupIds, pageCodeIds, alternatives } = values;
  const faults: Record<string, FieldFault> = {};
  const { path: typed, hosts } = values;
  const programPaths = appliesTo === 'folder' && values.programPaths;
  const place = { path: typed, appliesTo, programPaths, ...(hosts.length > 0 && { hosts }) };
  const path = pathFault(place, others);
  if (path) faults.path = [`fault.${path.reason}`, path.values];
  const other = ruleBelow({ ...place, path: tidyPath(typed) }, others);
  if (!path && other) faults.programPaths = ['programPathsTaken', { path: other.path }];
  if (!path && programPaths && isWildcard(typed.trim())) faults.programPaths = ['programPathsNames'];
  const name = queryParameters.find((each) => !/^[A-Za-z0-9_-]{1,100}$/.test(each));
  if (appliesTo === 'page' && name !== undefined) faults.queryParameters = ['queryParameterWrong', { name }];
  if (access === 'groups' && groupIds.length === 0) faults.groupIds = ['groupsMissing'];
  const needsCode = access === 'code' || acceptsCode(values);
  if (needsCode && pageCodeIds.length === 0) faults.pageCodeIds = ['codesMissing'];
  if (access !== 'conditional') return faults;
  for (const [index, alternative] of alternatives.entries()) {
    for (const [field, fault] of Object.entries(alternativeFaults(alternative))) {
      faults[`alternatives.${index}.${field}`] = fault;
    }
  }
  return faults;
}
