import type {
  AccessDecision,
  AccessReason,
  AccessRule,
  AlternativeResult,
  SiteStatus,
} from '@gatehouse/contract';
import {
  type Circumstances,
  type CompiledAlternative,
  checkAlternative,
  compileAlternatives,
  hasEntered,
  isInGroups,
  type VisitorState,
} from './access-conditions.ts';
import { type AccessTree, type FoundRules, findRules } from './access-tree.ts';
import { hasListedQuery, isPlainRequest, type RequestForm } from './plain-request.ts';
import { findProgramRule } from './program-paths.ts';
import { readRequestPath } from './request-path.ts';

/** A request for a page, as far as decisions depend on it. */
export interface PageRequest extends RequestForm, Circumstances {
  /** Whether a file of this machine is opened: then no path is passed on as it is. */
  readonly isForFile?: boolean;
}

/**
 * Decides whether a visitor may access the target of a request.
 * @param visitor null for an anonymous visitor
 */
export function decide(
  tree: AccessTree,
  request: PageRequest,
  visitor: VisitorState | null,
  siteStatus: SiteStatus,
): AccessDecision {
  return decideByRules(findRulesOf(tree, request), request, visitor, siteStatus);
}

/** The rules that apply to a request; undefined if its path is ambiguous. */
export function findRulesOf(tree: AccessTree, { target, isForFile }: PageRequest): FoundRules | undefined {
  const path = readRequestPath(target);
  const rules = path && findRules(tree, path);
  if (rules || isForFile) return rules;
  const folder = findProgramRule(tree, target);
  return folder && { page: undefined, folder };
}

/** Decides by the rules of the path of the target. @param rules undefined if the path is ambiguous */
export function decideByRules(
  rules: FoundRules | undefined,
  request: PageRequest,
  visitor: VisitorState | null,
  siteStatus: SiteStatus,
): AccessDecision {
  if (siteStatus !== 'active') return denied('site_suspended');
  if (rules === undefined) return denied('ambiguous_path');
  const preflights = ruleForPreflights(rules, request);
  if (preflights && request.isPreflight()) return allowedPreflight(preflights);
  const { page, folder } = rules;
  if (page === undefined) return decideBy(folder, request, visitor);
  const decision = decideBy(page, request, visitor);
  if (!decision.allowed || isPlainRequest(page, request)) return decision;
  return decideBy(folder, request, visitor);
}

/**
 * The rule that allows preflights; undefined if none does. A query may choose another page at the same path: then the
 * rule of the folder has to allow them too.
 */
function ruleForPreflights({ page, folder }: FoundRules, request: RequestForm): AccessRule | undefined {
  const rule = page ?? folder;
  if (rule?.preflights !== true) return undefined;
  const isAlone = page === undefined || hasListedQuery(page, request);
  return isAlone || folder?.preflights === true ? rule : undefined;
}

function allowedPreflight(rule: AccessRule): AccessDecision {
  return { allowed: true, reason: 'preflight', rule, alternatives: null };
}

/**
 * Whether a request may be decided with an access token of a member in its query.
 * @param request without the token
 */
export function isFeed({ page, folder }: FoundRules, request: RequestForm): boolean {
  const rule = page && isPlainRequest(page, request) ? page : folder;
  return rule?.acceptsTokenInUrl === true;
}

/** A denial that no rule has made. */
export function denied(reason: AccessReason): AccessDecision {
  return { allowed: false, reason, rule: null, alternatives: null };
}

function decideBy(
  rule: AccessRule | null,
  circumstances: Circumstances,
  visitor: VisitorState | null,
): AccessDecision {
  if (rule?.access === 'conditional') return decideByAlternatives(rule, circumstances, visitor);
  if (rule?.access === 'code') return decideByCode(rule, circumstances);
  const reason = reasonOf(rule, visitor);
  return { allowed: allowingReasons.has(reason), reason, rule, alternatives: null };
}

const allowingReasons: ReadonlySet<AccessReason> = new Set([
  'public',
  'member',
  'paying_member',
  'group_member',
]);

function reasonOf(
  rule: Exclude<AccessRule, { access: 'conditional' | 'code' }> | null,
  visitor: VisitorState | null,
): AccessReason {
  if (rule?.access === 'public') return 'public';
  if (!visitor) return 'anonymous';
  if (visitor.status !== 'active') return 'blocked';
  if (!rule || rule.access === 'members') return 'member';
  if (rule.access === 'paying_members') return visitor.paid === true ? 'paying_member' : 'not_paying';
  if (rule.access !== 'groups') return 'not_in_groups';
  return isInGroups(rule.groupIds, rule.match ?? 'any', visitor.groupIds) ? 'group_member' : 'not_in_groups';
}

/** Everyone who has entered a code has access, members or not. */
function decideByCode(
  rule: Extract<AccessRule, { access: 'code' }>,
  circumstances: Circumstances,
): AccessDecision {
  const allowed = hasEntered(rule.pageCodeIds, circumstances);
  return { allowed, reason: allowed ? 'page_code' : 'code_required', rule, alternatives: null };
}

/** Whether access was denied because no page code was entered that a rule accepts. */
export function mayHelpToEnterCode({ reason, alternatives }: AccessDecision): boolean {
  return (
    reason === 'code_required' || (reason !== 'condition_met' && alternatives?.includes('code') === true)
  );
}

type ConditionalRule = Extract<AccessRule, { access: 'conditional' }>;

function decideByAlternatives(
  rule: ConditionalRule,
  circumstances: Circumstances,
  visitor: VisitorState | null,
): AccessDecision {
  const alternatives = compiledOf(rule).map((each) => checkAlternative(each, circumstances, visitor));
  const reason = reasonOfAlternatives(alternatives);
  return { allowed: reason === 'condition_met', reason, rule, alternatives };
}

/**
 * A visitor is only sent to the login page if being logged in may help, and to that for page codes only if nothing else
 * may: a member is told which other ways there are.
 */
function reasonOfAlternatives(results: readonly AlternativeResult[]): AccessReason {
  if (results.includes('met')) return 'condition_met';
  if (results.includes('login')) return 'anonymous';
  if (results.includes('active')) return 'blocked';
  const isOfMember = results.includes('paid') || results.includes('groups');
  return results.includes('code') && !isOfMember ? 'code_required' : 'condition_not_met';
}

const compiled = new WeakMap<ConditionalRule, readonly CompiledAlternative[]>();

/** Compiled once for each change of the rules. */
function compiledOf(rule: ConditionalRule): readonly CompiledAlternative[] {
  const known = compiled.get(rule);
  if (known) return known;
  const alternatives = compileAlternatives(rule.anyOf);
  compiled.set(rule, alternatives);
  return alternatives;
}
