import type { AccessAlternative, AccessDecision, AccessRule } from '@gatehouse/client';
import { type Texts, useTexts } from '../../languages/texts.tsx';
import { timeText } from '../time-text.tsx';
import { type LeavingText, withoutLeaving } from './leaving-text.ts';
import { nameList, type RuleNames } from './rule-names.ts';

/** What decided about the access of a visitor. */
export type Decided = Pick<AccessDecision, 'reason' | 'rule' | 'alternatives'>;

interface DecisionReasonProps {
  decision: Decided;
  names: RuleNames;
  leaving?: LeavingText;
}

/** Why access is allowed or denied, in a few words: "Not in Sculling Basics · Starts Dec 1". */
export function DecisionReason({ decision, names, leaving = withoutLeaving }: DecisionReasonProps) {
  const t = useTexts('access');
  return reasonsOf(t, decision, names, leaving).join(' · ');
}

/** The reasons of a decision, without repetitions. Denied by conditions, there can be one for each of them. */
function reasonsOf(t: Texts<'access'>, decision: Decided, names: RuleNames, leaving: LeavingText): string[] {
  const { reason, rule, alternatives } = decision;
  if (rule?.access === 'groups' && reason === 'group_member') return [inGroups(t, rule, names)];
  if (rule?.access === 'groups' && reason === 'not_in_groups')
    return [resultOf(t, rule, 'groups', names, leaving)];
  if (rule?.access === 'conditional' && alternatives) {
    const { anyOf } = rule;
    const met = anyOf.find((_, index) => alternatives[index] === 'met');
    if (met && reason === 'condition_met') return whyMet(t, met, names);
    if (reason === 'condition_not_met') {
      const results = anyOf.map((each, index) => resultOf(t, each, alternatives[index]!, names, leaving));
      return [...new Set(results)];
    }
  }
  const name = `reason.${reason}`;
  return [t.has(name) ? t(name) : reason];
}

type Requirement = Partial<AccessAlternative> | Extract<AccessRule, { access: 'groups' }>;

/** The requirement that is not met, from the result of an alternative; or that all are met. */
export function resultOf(
  t: Texts<'access'>,
  requirement: Requirement,
  result: string,
  names: RuleNames,
  leaving: LeavingText,
): string {
  const { groupIds = [], match, from, until } = { from: undefined, until: undefined, ...requirement };
  if (result === 'groups') {
    const groups = nameList(groupIds, match, names.groups);
    const text = match === 'all' && groupIds.length > 1 ? 'result.groups.all' : 'result.groups';
    return leaving(t(text, { groups }), groupIds);
  }
  if (result === 'from' && from) return t('result.from', { time: timeText(from, 'clock') });
  if (result === 'until' && until) return t('result.until', { time: timeText(until, 'clock') });
  const name = reasonOfResult[result] ?? `result.${result}`;
  return t.has(name) ? t(name) : result;
}

/** Results that say the same as a reason. */
const reasonOfResult: Readonly<Record<string, string>> = {
  login: 'reason.anonymous',
  active: 'reason.blocked',
  paid: 'reason.not_paying',
  code: 'reason.code_required',
};

const reasonOfAccess = {
  public: 'reason.public',
  members: 'reason.member',
  paying_members: 'reason.paying_member',
  code: 'reason.page_code',
} as const;

function whyMet(t: Texts<'access'>, alternative: AccessAlternative, names: RuleNames): string[] {
  const { access, groupIds = [], until, networks = [] } = alternative;
  const isOnlyMember = access === 'members' && groupIds.length > 0;
  return [
    ...(isOnlyMember ? [] : [t(reasonOfAccess[access])]),
    ...(groupIds.length > 0 ? [inGroups(t, alternative, names)] : []),
    ...(until ? [t('alternative.untilTime', { time: timeText(until, 'clock') })] : []),
    ...(networks.length > 0 ? [t('reason.network')] : []),
  ];
}

function inGroups(t: Texts<'access'>, { groupIds = [], match }: Requirement, names: RuleNames): string {
  return t('reason.group_member', { groups: nameList(groupIds, match, names.groups) });
}
