import type { AccessRule, AccessRules, EventData } from '@gatehouse/contract';
import { comparePlaces, placeKey } from '@gatehouse/contract/rule-paths';
import type { Precondition } from '../../base/api-error.ts';
import { CostBoundedMap } from '../../base/caches/cost-bounded-map.ts';
import type { SiteData } from '../../storage/site-view.ts';
import { requireAccessGroups } from '../access-groups/access-groups.ts';
import type { Change } from '../events/change.ts';
import { requirePageCodes } from '../page-codes/page-codes.ts';
import { findSite, lockSite } from '../sites/sites.ts';
import { checkAccessRules, requireHosts } from './access-rule-checks.ts';
import { saveAccessRules, selectAccessRules } from './access-rule-store.ts';
import { type AccessTrees, compileAccessTrees } from './decision/access-trees.ts';
import { readStoredRules, toStoredRules } from './stored-rules.ts';

/** The rules of a site; empty for a site that never had any. */
export async function findAccessRules(view: SiteData): Promise<AccessRules> {
  const row = await selectAccessRules(view);
  return row
    ? { rules: readStoredRules(row.rules), updatedAt: row.updatedAt }
    : { rules: [], updatedAt: null };
}

interface CompiledRules {
  readonly text: string;
  readonly trees: AccessTrees;
}

/** The cost of all trees in a cache, about 120 MB: the most of 20 sites, or the usual 30 names of 10,000 sites. */
export const maxTreesCost = 400_000;
const compiled = new CostBoundedMap<CompiledRules>(maxTreesCost);

/** The compiled rules of a site. They are compiled again only when their text has changed. */
export async function findAccessTrees(view: SiteData): Promise<AccessTrees> {
  const { siteId } = view;
  const text = (await selectAccessRules(view))?.rules ?? '[]';
  const known = compiled.get(siteId);
  const trees = known?.text === text ? known.trees : compileAccessTrees(readStoredRules(text));
  compiled.set(siteId, { text, trees }, trees.cost);
  return trees;
}

/** The domains of the hosts that the rules name. */
export async function findRuleHosts(view: SiteData): Promise<string[]> {
  const { rules } = await findAccessRules(view);
  return [...new Set(rules.flatMap(({ hosts = [] }) => hosts))];
}

/** Replaces the rules of a site. @throws {ApiError} `invalid_request`, `access_group_not_found`, `page_code_not_found` */
export async function replaceAccessRules(
  change: Change,
  submitted: readonly AccessRule[],
  requireMatch: Precondition<AccessRules>,
): Promise<AccessRules> {
  const { db } = change;
  // First, so that other changes of the site do not wait for it.
  const rules = checkAccessRules(submitted);
  await lockSite(change);
  const before = await findAccessRules(change);
  requireMatch(before);
  const changes = changesOf(before.rules, rules);
  if (changes.length === 0 && before.updatedAt !== null) return before;
  await requireKnown(change, before.rules, rules);
  await saveAccessRules(change, toStoredRules(rules));
  await db.signal();
  if (changes.length > 0) {
    change.record({ type: 'access-rules.updated', data: { changes } });
  }
  return { rules, updatedAt: change.now };
}

/**
 * The compiled rules for a check: those of the request, which must be such that they could replace the saved ones and are
 * neither stored nor cached, or else the saved ones.
 * @throws {ApiError} `invalid_request`, `access_group_not_found`, `page_code_not_found`
 */
export async function findTreesToCheck(
  view: SiteData,
  submitted: readonly AccessRule[] | undefined,
): Promise<AccessTrees> {
  if (submitted === undefined) return findAccessTrees(view);
  const rules = checkAccessRules(submitted);
  await requireKnown(view, (await findAccessRules(view)).rules, rules);
  return compileAccessTrees(rules);
}

/** Rejects rules with groups, page codes or hosts that the site does not have. */
async function requireKnown(
  view: SiteData,
  before: readonly AccessRule[],
  rules: readonly AccessRule[],
): Promise<void> {
  await requireAccessGroups(view, newIds(before, rules, groupIdsOf));
  await requirePageCodes(view, newIds(before, rules, pageCodeIdsOf));
  const { hosts } = await findSite(view);
  requireHosts(
    rules,
    hosts.filter(({ redirect }) => !redirect).map(({ domain }) => domain),
  );
}

/**
 * The groups or page codes that the previous rules did not name. One that they named and that has been deleted since may
 * stay: nobody has it, and removing it from a rule could allow access that the rule denies.
 */
function newIds(
  before: readonly AccessRule[],
  after: readonly AccessRule[],
  idsOf: (rule: AccessRule) => readonly string[],
): string[] {
  const known = new Set(before.flatMap(idsOf));
  const named = new Set(after.flatMap(idsOf));
  return [...named].filter((id) => !known.has(id));
}

function groupIdsOf(rule: AccessRule): readonly string[] {
  if (rule.access === 'conditional') return rule.anyOf.flatMap(({ groupIds = [] }) => groupIds);
  return rule.access === 'groups' ? rule.groupIds : [];
}

function pageCodeIdsOf(rule: AccessRule): readonly string[] {
  if (rule.access === 'conditional') return rule.anyOf.flatMap(({ pageCodeIds = [] }) => pageCodeIds);
  return rule.access === 'code' ? rule.pageCodeIds : [];
}

function changesOf(
  before: readonly AccessRule[],
  after: readonly AccessRule[],
): EventData['access-rules.updated']['changes'] {
  const old = new Map(before.map((rule) => [placeKey(rule), rule]));
  const fresh = new Map(after.map((rule) => [placeKey(rule), rule]));
  const places = [...new Map([...old, ...fresh]).values()].sort(comparePlaces);
  return places
    .map((place) => ({
      path: place.path,
      from: old.get(placeKey(place)) ?? null,
      to: fresh.get(placeKey(place)) ?? null,
    }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to));
}
