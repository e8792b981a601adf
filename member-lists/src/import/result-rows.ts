import type { MemberDraft } from '../reading/member-draft.ts';
import { joinGroupNames } from '../values/group-names.ts';
import { isFailure, type Outcome } from './outcome.ts';

/** The headings of a file that says what was done with each row of a list. */
export const resultColumns = ['row', 'email', 'result', 'changes', 'groups', 'message'] as const;
export type ResultRow = Readonly<Record<(typeof resultColumns)[number], string>>;

/** What there is to say about a row, in the language of its reader. */
export interface ResultTexts {
  readonly changes: readonly string[];
  readonly message: string;
}

/**
 * What was done with a row.
 * @param groupsOfAll the names of the groups to which all members of the list are added
 */
export function toResultRow(
  { line, email, address, groups }: MemberDraft,
  outcome: Outcome,
  groupsOfAll: readonly string[],
  { changes, message }: ResultTexts,
): ResultRow {
  const isListed = outcome.status !== 'leftOut' && !isFailure(outcome);
  const names = isListed ? [...groups.map(({ name }) => name), ...groupsOfAll] : [];
  return {
    row: String(line),
    email: address ?? email,
    result: outcome.status,
    changes: changes.join('\n'),
    groups: joinGroupNames([...new Set(names)]),
    message,
  };
}
