import { invalidEmailMessage } from '@gatehouse/contract/email-address';
import { displayNameProblem } from '@gatehouse/contract/names';
import {
  type MemberDraft,
  maxGroupsPerRow,
  type Reason,
  type RowProblem,
  rowProblems,
} from '@gatehouse/member-lists';
import { invalidRegisteredAtMessage } from '../../domain/members/member.ts';

type Values = NonNullable<Reason['values']>;

/** The reason why a row failed, as text. */
export function reasonText({ code, values = {}, message }: Reason, draft: MemberDraft): string {
  if (message !== undefined) return message;
  const problem = rowProblems.find((each) => each === code);
  if (problem === undefined) throw new Error(`There is no text for ${code}.`);
  return texts[problem](values, draft);
}

const texts: Readonly<Record<RowProblem, (values: Values, draft: MemberDraft) => string>> = {
  invalid_row: ({ cells, headings }) =>
    `The row has ${cells} cells for ${headings} headings. Put quotes around a cell that contains a separator.`,
  unknown_value: ({ value }) =>
    `${shown(value)} says that the value is not known, so nothing was changed. Export the list again when all of its cells are computed, or correct the cell.`,
  unclear_column: ({ field = 'a field' }) =>
    `Several columns could be ${field}. Choose one with --map "${field}=<heading>".`,
  no_email: () => 'The row has no email address. Add one, or delete the row.',
  several_emails: () =>
    'The cell has several email addresses. Write one, and give each other one its own row.',
  invalid_email: () => invalidEmailMessage,
  invalid_display_name: (_, { displayName }) => displayNameProblem(displayName ?? null)!,
  invalid_paid: ({ value }) =>
    `${shown(value)} is neither yes nor no. Write paid as true, false, yes, no, 1 or 0.`,
  invalid_status: ({ value }) =>
    `${shown(value)} is not a status of members. Write active or blocked, or say what it means with --status "<word>=active", "=blocked" or "=left-out".`,
  invalid_registered_at: () => invalidRegisteredAtMessage,
  future_registered_at: ({ value }) =>
    `${shown(value)} is in the future. Write a time of registration in the past.`,
  early_registered_at: ({ value }) =>
    `${shown(value)} is too early for a time of registration. Correct the year.`,
  unclear_date: ({ value }) =>
    `In ${shown(value)}, day and month could be swapped. Say which comes first with --date-order day-first or month-first.`,
  unclear_groups: ({ value }) =>
    `It is not clear what separates the groups in ${shown(value)}. Say it with --group-separator, such as ",".`,
  invalid_group_ends: () =>
    'Write groupsEndAt as one time for all groups, or one time for each group separated by ";", such as 2030-12-31T23:00:00Z.',
  too_many_groups: () => `This row has too many groups. Use at most ${maxGroupsPerRow}.`,
  other_name: ({ line, name }) =>
    `Row ${line} of this file has the same email address and the name ${shown(name)}. Correct the address or the name of one of them.`,
  email_taken: ({ fields }) =>
    `A member with this email address already exists and has a different ${String(fields).split(' ').join(' and ')}. Update the member, or clear these cells to leave it unchanged.`,
};

function shown(value: string | number | undefined): string {
  return value === undefined ? 'A cell' : `"${value}"`;
}
