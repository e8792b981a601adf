import type { Field } from '../columns/fields.ts';
import type { StatusMeaning } from '../values/word-meanings.ts';
import type { DateOrder } from '../values/written-times.ts';

/**
 * The export of another system: how to recognize it, and what its columns and words mean. Headings are compared in the
 * form of `simplified`, without a remark such as ` [Required]`; outside of signatures, `*` at the beginning stands for any
 * beginning. Words are compared in the form of `foldWord`.
 */
export interface KnownExport {
  /** As people call the system. */
  readonly title: string;
  /** Sets of headings that only this export has; one of them must be there whole, in any order. */
  readonly signatures: readonly (readonly string[])[];
  /** The headings of each field, in the order of preference. The export has no other field, except the address. */
  readonly columns: Readonly<Partial<Record<Field, readonly string[]>>>;
  /** The headings of columns whose values could be names of groups, such as tiers, plans and labels. */
  readonly groupHeadings: readonly string[];
  /** Those of them whose groups end at `groupsEndAt`. */
  readonly endedHeadings?: readonly string[];
  /** The headings of columns that are named after a group, and have yes or no in their cells. */
  readonly markHeadings?: readonly string[];
  /** See `ListReading`. */
  readonly groupSeparator: string;
  readonly noGroupWords?: readonly string[];
  readonly furtherEndHeadings?: readonly string[];
  readonly hasQuotedNames?: boolean;
  readonly dateOrder?: DateOrder;
  /** The zone of times of day that name none; without it, that of the site. */
  readonly clockTimeZone?: string;
  readonly statusWords?: Readonly<Record<string, StatusMeaning>>;
  readonly states?: readonly StateHeading[];
  readonly paidWords?: Readonly<Record<string, boolean>>;
}

/** A heading of a column about the state; see `StateColumn`. */
export interface StateHeading {
  readonly heading: string;
  readonly words: Readonly<Record<string, StatusMeaning>>;
  readonly isUntil?: boolean;
}
