/** Why a row of a list, or a value in it, cannot be used. */
export const rowProblems = [
  'invalid_row',
  /** A cell of the row says that its value is not known, such as `#REF!`. */
  'unknown_value',
  /** Several columns could have a field, and no one has said which. */
  'unclear_column',
  'no_email',
  'several_emails',
  'invalid_email',
  'invalid_display_name',
  'invalid_paid',
  'invalid_status',
  'invalid_registered_at',
  'future_registered_at',
  /** Before 1970, which the service cannot store: a note, because the member is imported without it. */
  'early_registered_at',
  /** Day and month of a date could be swapped. */
  'unclear_date',
  /** What separates the groups of a cell is not known. */
  'unclear_groups',
  'invalid_group_ends',
  'too_many_groups',
  /** An earlier row has the same address and another name. */
  'other_name',
  /** A member with this address exists and has other values. */
  'email_taken',
] as const;

export type RowProblem = (typeof rowProblems)[number];

/** The reason why a row fails, from the list or from the service: a code, and the values for a message about it. */
export interface Reason {
  /** A `RowProblem`, or an error code of the service. */
  readonly code: string;
  readonly values?: Readonly<Record<string, string | number>>;
  /** The message of the service. */
  readonly message?: string;
}
