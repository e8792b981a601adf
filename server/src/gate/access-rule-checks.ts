import { type AccessRule, longestRequestPath } from '@gatehouse/contract';
import { invalidRequest } from '../base/refusal.ts';
import { fold, pageName, segmentsOf } from './access-tree.ts';
import { type SegmentFault, segmentFault } from './request-path.ts';

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

/** Each costs a place in the tree: a thousand rules of 250 names took 100 MB and stopped the gate for 0.2 s. */
const mostNames = 32;

const faults: Record<SegmentFault, string> = {
  empty: 'Write single slashes.',
  character:
    'Leave out control characters, quotation marks and \\ ; * < > |, which servers read in different ways.',
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
  const refuse = (advice: string) => invalidRequest(pointer, `"${submitted}" cannot have a rule. ${advice}`);
  if (!submitted.startsWith('/')) throw refuse('Begin the path with a slash.');
  if (submitted.includes('%')) throw refuse(faults.encoded);
  if (/[?#]/.test(submitted)) throw refuse('Leave out the query: a rule holds for a path with any query.');
  const path = submitted.normalize('NFC');
  const names = path.replace(/^\/|\/$/g, '').split('/');
  if (names.length > mostNames) throw refuse(`Name at most ${mostNames} folders, one in the other.`);
  if (path === '/') return path;
  for (const [index, name] of names.entries()) {
    const fault = segmentFault(name, index === names.length - 1);
    if (fault) throw refuse(faults[fault]);
  }
  if (pageName(fold(names.at(-1)!)) === 'index') {
    throw refuse('Name the folder: servers give its index page for both.');
  }
  const normalized = `/${names.join('/')}`;
  if (encodeURI(normalized).length > longestRequestPath) throw refuse('Shorten it: no request is so long.');
  return normalized;
}

/** The fields always stand in one order, as rules are compared by their text. */
function normalizeRule(rule: AccessRule, path: string): AccessRule {
  if (rule.access !== 'groups') return { path, access: rule.access };
  const groupIds = [...new Set(rule.groupIds.map((id) => id.toLowerCase()))];
  return { path, access: rule.access, groupIds, match: rule.match ?? 'any' };
}

/** A name of a path as the first rule wrote it that had it. */
interface Spelling {
  readonly name: string;
  readonly path: string;
  hasRule: boolean;
  readonly below: Map<string, Spelling>;
}

/** No path stands twice, and no name is written in two ways that some servers take for one. */
function requireOneSpelling(paths: readonly string[]): void {
  const root: Spelling = { name: '', path: '/', hasRule: false, below: new Map() };
  for (const [index, path] of paths.entries()) {
    const refuse = (advice: string) => invalidRequest(`/rules/${index}/path`, advice);
    let place = root;
    for (const name of segmentsOf(path)) {
      const folded = fold(name);
      const next = place.below.get(folded) ?? { name, path, hasRule: false, below: new Map() };
      place.below.set(folded, next);
      if (next.name !== name) {
        throw refuse(
          `"${path}" and "${next.path}" differ only in how "${name}" is written, and some servers take the two for one. ` +
            'Write it in one way.',
        );
      }
      place = next;
    }
    if (place.hasRule) throw refuse(`"${path}" has two rules. Keep one of them.`);
    place.hasRule = true;
  }
}
