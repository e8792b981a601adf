import type { AccessRule, AccessRules, EventData } from '@gatehouse/contract';
import { groupNotFound } from '../access-groups/access-group.ts';
import { selectAccessGroupTypes } from '../access-groups/access-group-store.ts';
import type { Cause } from '../base/cause.ts';
import { recordEvents } from '../events/events.ts';
import type { Precondition } from '../routing/precondition.ts';
import { lockSite } from '../sites/site-store.ts';
import type { Queries, Transaction } from '../storage/database.ts';
import { checkAccessRules } from './access-rule-checks.ts';
import { saveAccessRules, selectAccessRules } from './access-rule-store.ts';
import { type AccessTree, compileAccessTree } from './access-tree.ts';

/** So many ids in one statement: more than a store takes at once would fail. */
const idsAtOnce = 500;

/** The rules of a site; none for a site that never had any. */
export async function findAccessRules(db: Queries, siteId: string): Promise<AccessRules> {
  const row = await selectAccessRules(db, siteId);
  return row ? { rules: JSON.parse(row.rules), updatedAt: row.updated_at } : { rules: [], updatedAt: null };
}

interface CompiledRules {
  readonly text: string;
  readonly tree: AccessTree;
}

const compiled = new Map<string, CompiledRules>();
const mostCompiled = 1_000;

/** The rules of a site, ready to be asked. They are compiled again only when their text has changed. */
export async function findAccessTree(db: Queries, siteId: string): Promise<AccessTree> {
  const text = (await selectAccessRules(db, siteId))?.rules ?? '[]';
  const known = compiled.get(siteId);
  if (known?.text === text) return known.tree;
  const tree = compileAccessTree(JSON.parse(text));
  if (compiled.size >= mostCompiled) compiled.delete(compiled.keys().next().value!);
  compiled.set(siteId, { text, tree });
  return tree;
}

/**
 * Sets the whole tree. @throws Refusal `invalid_request`, `access_group_not_found`
 */
export async function replaceAccessRules(
  tx: Transaction,
  siteId: string,
  submitted: readonly AccessRule[],
  cause: Cause,
  requireMatch: Precondition<AccessRules>,
): Promise<AccessRules> {
  await lockSite(tx, siteId);
  const before = await findAccessRules(tx, siteId);
  requireMatch(before);
  const rules = checkAccessRules(submitted);
  const changes = changesOf(before.rules, rules);
  if (changes.length === 0 && before.updatedAt !== null) return before;
  await requireGroups(tx, siteId, newGroupIds(before.rules, rules));
  await saveAccessRules(tx, siteId, { rules: JSON.stringify(rules), updated_at: cause.at });
  await tx.signal();
  if (changes.length > 0) {
    await recordEvents(tx, siteId, cause, [{ type: 'access-rules.updated', data: { changes } }]);
  }
  return { rules, updatedAt: cause.at };
}

/**
 * The groups that the rules did not name before. One that they named and that was deleted since may stay: nobody is in
 * it, and taking it out of a rule could open what the rule keeps shut.
 */
function newGroupIds(before: readonly AccessRule[], after: readonly AccessRule[]): string[] {
  const known = new Set(before.flatMap(groupIdsOf));
  const named = new Set(after.flatMap(groupIdsOf));
  return [...named].filter((groupId) => !known.has(groupId));
}

function groupIdsOf(rule: AccessRule): readonly string[] {
  return rule.access === 'groups' ? rule.groupIds : [];
}

async function requireGroups(tx: Transaction, siteId: string, groupIds: readonly string[]): Promise<void> {
  for (let start = 0; start < groupIds.length; start += idsAtOnce) {
    const some = groupIds.slice(start, start + idsAtOnce);
    if ((await selectAccessGroupTypes(tx, siteId, some)).length < some.length) throw groupNotFound();
  }
}

function changesOf(
  before: readonly AccessRule[],
  after: readonly AccessRule[],
): EventData['access-rules.updated']['changes'] {
  const old = new Map(before.map((rule) => [rule.path, rule]));
  const fresh = new Map(after.map((rule) => [rule.path, rule]));
  const paths = [...new Set([...old.keys(), ...fresh.keys()])].sort();
  return paths
    .map((path) => ({ path, from: old.get(path) ?? null, to: fresh.get(path) ?? null }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to));
}
