import {
  DryRun,
  type DryRunOptions,
  type MemberDraft,
  type MemberState,
  type Outcome,
} from '@gatehouse/member-lists';

/** The expected result of a row in the preview; `unknown` if it was not checked whether the member exists. */
export const previewStatuses = [
  'new',
  'unknown',
  'updated',
  'groupsChanged',
  'exists',
  'duplicate',
  'leftOut',
  'conflict',
  'otherName',
  'invalidEmail',
  'invalidName',
  'invalid',
] as const;
export type PreviewStatus = (typeof previewStatuses)[number];

/** A row with what will happen to it. */
export interface PreviewRow {
  readonly draft: MemberDraft;
  readonly outcome: Outcome;
  readonly status: PreviewStatus;
}

/** @param known the members by address who exist already; undefined while that is not known */
export function previewRowsOf(
  drafts: readonly MemberDraft[],
  known: ReadonlyMap<string, MemberState> | undefined,
  options: DryRunOptions,
): PreviewRow[] {
  const outcomes = new DryRun(options).predict(drafts, known ?? new Map());
  return drafts.map((draft, index) => {
    const outcome = outcomes[index]!;
    return { draft, outcome, status: statusOf(outcome, known !== undefined) };
  });
}

function statusOf(outcome: Outcome, isKnown: boolean): PreviewStatus {
  switch (outcome.status) {
    case 'created':
      return isKnown ? 'new' : 'unknown';
    case 'unchanged':
      return 'exists';
    case 'merged':
      return 'duplicate';
    case 'invalid':
      return invalidStatus(outcome.reason.code);
    default:
      return outcome.status;
  }
}

function invalidStatus(code: string): PreviewStatus {
  switch (code) {
    case 'no_email':
    case 'several_emails':
    case 'invalid_email':
      return 'invalidEmail';
    case 'invalid_display_name':
      return 'invalidName';
    case 'other_name':
      return 'otherName';
    default:
      return 'invalid';
  }
}
