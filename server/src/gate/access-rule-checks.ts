import type { AccessRule } from '@gatehouse/contract';
import {
  findRulePathConflict,
  maxRulePathNames,
  type RulePathFault,
  rulePathFault,
  tidyRulePath,
} from '@gatehouse/contract/rule-paths';
import { invalidRequest } from '../base/refusal.ts';

/**
 * Checks the rules of a site as a whole. Gives them in the form in which they are kept: sorted by path, without
 * trailing slashes, composed (NFC), each group named once. @throws Refusal `invalid_request`
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
  query: 'Leave out the query: a rule holds for a path with any query.',
  wildcard:
    'Leave out the *: rules have no wildcards. Name the folder: its rule holds for everything below it, too.',
  depth: `Name at most ${maxRulePathNames} folders, one in the other.`,
  index: 'Name the folder: servers give its index page for both.',
  length: 'Shorten it: no request is so long.',
  empty: 'Write single slashes.',
  character:
    'Leave out control characters, quotation marks and \\ ; < > |, which servers read in different ways.',
  invisible: 'Leave out characters that cannot be seen.',
  edge: 'No name in it begins with a space, or ends in a space or a dot.',
  encoded: 'Write it as it reads, without percent-encoding: /cours/été, not /cours/%C3%A9t%C3%A9.',
  stream: 'No name in it begins with a drive letter, ends in a colon, or has :$ in it.',
  short_name: 'Write names in full, not in the short form with a tilde and a number.',
  lookalike: 'Write punctuation in ASCII: servers take some characters for a slash, a dot or the like.',
  script: 'Name the script itself: nothing below a script can have a rule.',
};

/** The form in which a rule's path is kept. Normalising twice changes nothing. */
function normalizePath(submitted: string, pointer: string): string {
  const fault = rulePathFault(submitted);
  if (fault) throw invalidRequest(pointer, `"${submitted}" cannot have a rule. ${advice[fault]}`);
  return tidyRulePath(submitted);
}

/** The fields always stand in one order, as rules are compared by their text. */
function normalizeRule(rule: AccessRule, path: string): AccessRule {
  if (rule.access !== 'groups') return { path, access: rule.access };
  const groupIds = [...new Set(rule.groupIds.map((id) => id.toLowerCase()))];
  return { path, access: rule.access, groupIds, match: rule.match ?? 'any' };
}

/** No path stands twice, and no name is written in two ways that some servers take for one. */
function requireOneSpelling(paths: readonly string[]): void {
  const conflict = findRulePathConflict(paths);
  if (!conflict) return;
  const { index, path, other, name } = conflict;
  throw invalidRequest(
    `/rules/${index}/path`,
    name === undefined
      ? `"${path}" has two rules. Keep one of them.`
      : `"${path}" and "${other}" differ only in how "${name}" is written, and some servers take the two for one. ` +
          'Write it in one way.',
  );
}
