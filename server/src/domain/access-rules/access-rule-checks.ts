import type { AccessRule } from '@gatehouse/contract';
import {
  findRulePathConflict,
  maxRulePathNames,
  type RulePathFault,
  rulePathFault,
  tidyRulePath,
} from '@gatehouse/contract/rule-paths';
import { invalidRequest } from '../../base/api-error.ts';

/**
 * Validates all rules of a site. Returns them in their stored form: sorted by path, without trailing slashes, in NFC,
 * each group once. @throws {ApiError} `invalid_request`
 */
export function checkAccessRules(submitted: readonly AccessRule[]): AccessRule[] {
  const rules = submitted.map((rule, index) =>
    normalizeRule(rule, normalizePath(rule.path, `/rules/${index}/path`)),
  );
  requireOneSpelling(rules.map(({ path }) => path));
  return rules.sort((one, other) => (one.path < other.path ? -1 : 1));
}

const advice: Record<RulePathFault, string> = {
  slash: 'Begin the path with a slash.',
  query: 'Remove the query: a rule applies to a path with any query.',
  wildcard:
    'Remove the *: rules have no wildcards. Enter the folder: its rule also applies to everything below it.',
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

/** The fields are always in the same order, because rules are compared as text. */
function normalizeRule(rule: AccessRule, path: string): AccessRule {
  if (rule.access !== 'groups') return { path, access: rule.access };
  const groupIds = [...new Set(rule.groupIds.map((id) => id.toLowerCase()))];
  return { path, access: rule.access, groupIds, match: rule.match ?? 'any' };
}

/** Rejects duplicate paths, and names with two spellings that some servers treat as the same. */
function requireOneSpelling(paths: readonly string[]): void {
  const conflict = findRulePathConflict(paths);
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
