import type { AccessRule } from '@gatehouse/contract';
import {
  comparePlaces,
  countRuleNames,
  findProgramConflict,
  findRuleConflict,
  isWildcard,
  maxRuleNames,
  maxRulePathNames,
  type RulePathFault,
  rulePathFault,
  tidyRulePath,
} from '@gatehouse/contract/rule-paths';
import { invalidRequest } from '../../base/api-error.ts';
import { checkAlternatives } from './alternative-checks.ts';
import { nameForms } from './decision/names/name-forms.ts';

/**
 * Validates all rules of a site. Returns them in their stored form: sorted by path, the rule of a page after that of
 * its folder, without trailing slashes, in NFC, each group once. @throws {ApiError} `invalid_request`
 */
export function checkAccessRules(submitted: readonly AccessRule[]): AccessRule[] {
  requireFewNames(submitted);
  const rules = submitted.map((rule, index) => normalizeRule(rule, `/rules/${index}`));
  requireOneSpelling(rules);
  requireWholePrograms(rules);
  return rules.sort(comparePlaces);
}

const advice: Record<RulePathFault, string> = {
  slash: 'Begin the path with a slash.',
  query: 'Remove the query: a rule applies to a path with any query.',
  wildcard:
    'Use * only at the end of the last name, after at least one other character: /blog/premium-*. For a whole folder, ' +
    'enter the folder: its rule also applies to everything below it.',
  depth: `Use at most ${maxRulePathNames} nested folders.`,
  index: 'Use the folder instead: its rule also applies to its index page.',
  length: 'Shorten the path.',
  empty: 'Use single slashes.',
  character:
    'Remove control characters, quotation marks and \\ ; < > |, which servers interpret differently.',
  invisible: 'Remove invisible characters.',
  edge: 'A name in the path must not begin with a space, or end with a space or a dot.',
  encoded: 'Enter the path without percent-encoding: /cours/été, not /cours/%C3%A9t%C3%A9.',
  stream: 'A name in the path must not begin with a drive letter, end with a colon, or contain :$.',
  short_name: 'Use full names, not short names with a tilde and a number.',
  lookalike: 'Use ASCII punctuation: servers read some other characters as a slash, a dot or similar.',
  script: 'Enter the script itself: paths below a script cannot have rules.',
};

/** The form in which the path of a rule is stored. Normalizing twice changes nothing. */
function normalizePath(submitted: string, pointer: string): string {
  const fault = rulePathFault(submitted);
  if (fault) throw invalidRequest(pointer, `"${submitted}" cannot have a rule. ${advice[fault]}`);
  return tidyRulePath(submitted);
}

/** The fields are always in the same order and without defaults, because rules are compared as text. */
function normalizeRule(rule: AccessRule, pointer: string): AccessRule {
  const place = {
    path: normalizePath(rule.path, `${pointer}/path`),
    ...(rule.appliesTo === 'page' && { appliesTo: rule.appliesTo }),
    ...normalizeParameters(rule, pointer),
    ...(rule.hosts && { hosts: normalizeHosts(rule.hosts) }),
    ...(rule.acceptsTokenInUrl && { acceptsTokenInUrl: true }),
    ...normalizeProgramPaths(rule, pointer),
    ...(rule.preflights && { preflights: rule.preflights }),
  };
  if (rule.access === 'conditional') {
    return { ...place, access: rule.access, anyOf: checkAlternatives(rule.anyOf, `${pointer}/anyOf`) };
  }
  if (rule.access === 'code') {
    const pageCodeIds = [...new Set(rule.pageCodeIds.map((id) => id.toLowerCase()))];
    return { ...place, access: rule.access, pageCodeIds };
  }
  if (rule.access !== 'groups') return { ...place, access: rule.access };
  const groupIds = [...new Set(rule.groupIds.map((id) => id.toLowerCase()))];
  return { ...place, access: rule.access, groupIds, match: rule.match ?? 'any' };
}

function normalizeHosts(hosts: readonly string[]): string[] {
  return [...new Set(hosts.map((host) => host.trim().toLowerCase().replace(/:443$/, '')))].sort();
}

/** Rejects a rule that names a host at which visitors do not reach pages. @param domains those of the site's hosts */
export function requireHosts(rules: readonly AccessRule[], domains: readonly string[]): void {
  for (const [index, { path, hosts = [] }] of rules.entries()) {
    const unknown = hosts.findIndex((host) => !domains.includes(host));
    if (unknown === -1) continue;
    throw invalidRequest(
      `/rules/${index}/hosts/${unknown}`,
      `The rule for "${path}" names ${hosts[unknown]}, which is not a host of the site, or a redirected one. ` +
        'Add the host to the site first.',
    );
  }
}

function normalizeParameters(
  { appliesTo, queryParameters = [] }: AccessRule,
  pointer: string,
): Pick<AccessRule, 'queryParameters'> {
  if (queryParameters.length === 0) return {};
  if (appliesTo === 'page') return { queryParameters: [...new Set(queryParameters)].sort() };
  throw invalidRequest(
    `${pointer}/queryParameters`,
    'Only a rule for a page has query parameters. Set "appliesTo" to "page", or leave them out.',
  );
}

function normalizeProgramPaths(
  { path, appliesTo, programPaths }: AccessRule,
  pointer: string,
): Pick<AccessRule, 'programPaths'> {
  if (!programPaths) return {};
  if (appliesTo !== 'page' && !isWildcard(path)) return { programPaths };
  throw invalidRequest(
    `${pointer}/programPaths`,
    'Only a rule for a folder or a script has "programPaths", not one for a page or for names with *. Leave it out, or ' +
      'give the folder of the program a rule.',
  );
}

/** Rejects rules for a part of what another rule passes on to one program. */
function requireWholePrograms(rules: readonly AccessRule[]): void {
  const conflict = findProgramConflict(rules, nameForms);
  if (!conflict) return;
  const [program, other] = [rules[conflict.program]!, rules[conflict.other]!];
  const about = other.path === program.path ? 'for only its page' : `for "${other.path}"`;
  throw invalidRequest(
    `/rules/${conflict.program}/programPaths`,
    `The rule for "${program.path}" passes on everything below it as it is, so no other rule can be for a part of it, ` +
      `and there is one ${about}. Remove that rule, or leave out "programPaths".`,
  );
}

/** Rejects rules for which the gate would need too much memory and time. */
function requireFewNames(rules: readonly AccessRule[]): void {
  const count = countRuleNames(rules);
  if (count <= maxRuleNames) return;
  const [sent, allowed] = [count, maxRuleNames].map((number) => number.toLocaleString('en-US'));
  throw invalidRequest(
    '/rules',
    `The paths of the rules have ${sent} names in all, and at most ${allowed} are possible. Each folder and page in a ` +
      'path counts, once for each host that its rule names. Remove rules, shorten paths, or name fewer hosts: a rule ' +
      'without hosts applies to all of them and counts once.',
  );
}

/** Rejects duplicates, and names with two spellings that some servers treat as the same. */
function requireOneSpelling(rules: readonly AccessRule[]): void {
  const conflict = findRuleConflict(rules);
  if (!conflict) return;
  const { index, path, other, name } = conflict;
  throw invalidRequest(
    `/rules/${index}/path`,
    name === undefined
      ? `"${path}" has two rules. Keep one of them.`
      : `"${path}" and "${other}" differ only in the spelling of "${name}", and some servers treat both as the same. ` +
          'Use one spelling.',
  );
}
