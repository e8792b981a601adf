import {
  DryRun,
  type GroupsOfList,
  isFailure,
  type MemberDraft,
  type MemberState,
  type Outcome,
} from '@gatehouse/member-lists';

/** The expected result of a row in the preview; `unknown` if it was not checked whether the member exists. */
export const previewStatuses = [
  'new',
  'unknown',
  'exists',
  'duplicate',
  'leftOut',
  'conflict',
  'invalidEmail',
  'invalidName',
  'invalid',
] as const;
export type PreviewStatus = (typeof previewStatuses)[number];

/** @param known the members by address who exist already; undefined while that is not known */
export function previewStatusesOf(
  drafts: readonly MemberDraft[],
  known: ReadonlyMap<string, MemberState> | undefined,
  groups: GroupsOfList,
): PreviewStatus[] {
  const predicted = new DryRun({ groups, now: new Date() }).predict(drafts, known ?? new Map());
  return predicted.map((outcome) => toStatus(outcome, known !== undefined));
}

function toStatus(outcome: Outcome, isKnown: boolean): PreviewStatus {
  if (outcome.status === 'merged') return 'duplicate';
  if (outcome.status === 'leftOut') return 'leftOut';
  if (isFailure(outcome)) {
    if (outcome.status === 'conflict') return 'conflict';
    if (outcome.reason.code === 'invalid_email') return 'invalidEmail';
    return outcome.reason.code === 'invalid_display_name' ? 'invalidName' : 'invalid';
  }
  if (outcome.status === 'created') return isKnown ? 'new' : 'unknown';
  return 'exists';
}
