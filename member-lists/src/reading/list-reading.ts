import type { Columns, Field } from '../columns/fields.ts';
import type { StateColumn } from '../columns/stateful-columns.ts';
import type { KnownExportName } from '../known/known-exports.ts';
import type { StatusMeaning } from '../values/word-meanings.ts';
import type { DateOrder } from '../values/written-times.ts';

/** A column that is named after a group; its marks (`x`, `yes`, `1`) say who belongs to it. */
export interface GroupColumn {
  readonly column: number;
  readonly name: string;
}

/**
 * How a list is read: everything that has been found out, chosen or answered about it. A value without prototypes or
 * functions, so that it can be stored and compared as JSON. What no one has answered is null, or in `openColumns`: the
 * rows that need the answer are listed and change nothing.
 */
export interface ListReading {
  /** The system that wrote the list; null if it is not known. */
  readonly export: KnownExportName | null;
  readonly columns: Columns;
  /** Whether a full name with a comma has quotes around it, besides those of CSV. */
  readonly hasQuotedNames: boolean;
  /** Fields that several columns could have, with these columns. */
  readonly openColumns: Readonly<Partial<Record<Field, readonly number[]>>>;
  /** Further columns with names of groups, besides that of the field `groups`. */
  readonly nameColumns: readonly number[];
  readonly groupColumns: readonly GroupColumn[];
  /** The columns of `nameColumns` whose groups end when the field `groupsEndAt` says. */
  readonly endedColumns: readonly number[];
  /** Columns with another end, such as that of a trial: it counts if it is still ahead, and later. */
  readonly furtherEndColumns: readonly number[];
  /** What stands among the names of groups and is none, in the form of `foldWord`. */
  readonly noGroupWords: readonly string[];
  /** What separates group names in a cell; empty if each cell is one name; null if it is not known. */
  readonly groupSeparator: string | null;
  /** Null if it is not known; only some dates need it. */
  readonly dateOrder: DateOrder | null;
  /** The zone of days (IANA name). */
  readonly timeZone: string;
  /** The zone of times of day that name none. */
  readonly clockTimeZone: string;
  /** The meaning of the words for states, by their form of `foldWord`. */
  readonly statusWords: Readonly<Record<string, StatusMeaning>>;
  /** Further columns about the state; the strictest of all counts. */
  readonly stateColumns: readonly StateColumn[];
  /** Columns with secrets such as hashes of passwords. Their cells are never shown or written. */
  readonly secretColumns: readonly number[];
  /** Whether a word means paying, by its form of `foldWord`; `*` stands for all others, and '' for an empty cell. */
  readonly paidWords: Readonly<Record<string, boolean>>;
}

/** What a person, or the mapping of a source, says about a list. What is left out is found out from the list. */
export interface ListAnswers {
  /** Null if the list is not to be read as the export that it looks like. */
  readonly export?: KnownExportName | null;
  readonly columns?: Partial<Columns>;
  /** Further columns with names of groups. */
  readonly nameColumns?: readonly number[];
  /** The columns that are named after a group. */
  readonly groupColumns?: readonly number[];
  readonly groupSeparator?: string;
  readonly dateOrder?: DateOrder;
  readonly statusWords?: Readonly<Record<string, StatusMeaning>>;
  /** Instead of those of the export. */
  readonly stateColumns?: readonly StateColumn[];
  readonly paidWords?: Readonly<Record<string, boolean>>;
}

/** A word in the column of states that has no meaning yet. */
export interface OpenStatusWord {
  /** As it is written in the list. */
  readonly word: string;
  readonly rows: number;
  readonly suggestion: StatusMeaning;
}

/**
 * A question about a list. Without an answer to one of the first four, the rows that need it are listed and change
 * nothing. The last one is an offer: without an answer the columns are not used.
 */
export type ListQuestion =
  | { readonly type: 'column'; readonly field: Field; readonly columns: readonly number[] }
  | { readonly type: 'dateOrder'; readonly examples: readonly string[] }
  | {
      readonly type: 'groupSeparator';
      readonly separators: readonly string[];
      readonly examples: readonly string[];
    }
  | { readonly type: 'statusWords'; readonly words: readonly OpenStatusWord[] }
  | {
      readonly type: 'groups';
      /** Columns whose values could be names of groups, such as tiers, plans and labels. */
      readonly nameColumns: readonly number[];
      /** Columns that could be named after a group. */
      readonly markColumns: readonly number[];
    };

/** What a list is read for. */
export interface SiteOfList {
  /** The zone of days (IANA name). */
  readonly timeZone: string;
  /** The names of the groups of the site. */
  readonly groupNames: ReadonlySet<string>;
}
