import { invalidEmailMessage } from '@gatehouse/contract/email-address';
import { displayNameProblem } from '@gatehouse/contract/names';
import {
  type MemberDraft,
  maxGroupsPerRow,
  type Reason,
  type RowProblem,
  rowProblems,
} from '@gatehouse/member-lists';

const timeAdvice = 'Write it as 2026-01-31, 31.01.2026, 2026-01-31 09:30 or 2026-01-31T09:30:00Z.';

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
  several_emails: ({ first, second }) =>
    `The cell has several email addresses, ${first} and ${second}. Leave one, and give each other person a row.`,
  invalid_email: ({ value }) =>
    value === undefined
      ? invalidEmailMessage
      : `${shown(value)} is not a valid email address. Use one such as ada@example.com, of at most 254 characters.`,
  invalid_display_name: (_, { displayName }) => displayNameProblem(displayName ?? null)!,
  invalid_paid: ({ value }) =>
    `${shown(value)} is neither yes nor no. Write paid as true, false, yes, no, 1 or 0.`,
  invalid_status: ({ value }) =>
    `${shown(value)} is not a status of members. Write active or blocked, or say what it means with --status "<word>=active", "=blocked" or "=left-out".`,
  invalid_registered_at: ({ value }) => `${shown(value)} is not a time. ${timeAdvice}`,
  future_registered_at: ({ value }) =>
    `${shown(value)} is in the future. Write a time of registration in the past.`,
  early_registered_at: ({ value }) =>
    `${shown(value)} is before 1970. The member is imported without a time of registration.`,
  unclear_date: ({ value }) =>
    `In ${shown(value)}, day and month could be swapped. Say which comes first with --date-order day-first or month-first.`,
  unclear_groups: ({ value }) =>
    `It is not clear what separates the groups in ${shown(value)}. Say it with --group-separator, such as ",".`,
  invalid_group_ends: ({ value, ends }) =>
    value === undefined
      ? `The row has ${ends} ends, and another number of groups. Write one end for all groups, or one for each group, separated by ";".`
      : `${shown(value)} is not a time. ${timeAdvice}`,
  too_many_groups: () => `This row has too many groups. Use at most ${maxGroupsPerRow}.`,
  other_name: ({ line, name }) =>
    `Row ${line} of this file has the same email address and the name ${shown(name)}. Correct the email address or the name of one of them.`,
  email_taken: ({ fields }) =>
    `A member with this email address already exists and has a different ${String(fields).split(' ').join(' and ')}. ${updateAdvice(String(fields))}`,
};

/** Blocking a member has a meaning of its own, so that an import never does it. */
function updateAdvice(fields: string): string {
  return fields.includes('status')
    ? 'Block or unblock the member, or clear these cells to leave it unchanged.'
    : 'Import with --update to change it, or clear these cells to leave it unchanged.';
}

function shown(value: string | number | undefined): string {
  return value === undefined ? 'A cell' : `"${value}"`;
}
