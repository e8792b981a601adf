import type { Field } from '../columns/fields.ts';
import type { DateOrder, StatusMeaning } from '../reading/list-reading.ts';

export const knownExportNames = ['ghost'] as const;
export type KnownExportName = (typeof knownExportNames)[number];

/** The export of another system: how to recognize it, and what its columns and words mean. */
export interface KnownExport {
  readonly name: KnownExportName;
  /** As people call the system. */
  readonly title: string;
  /** Sets of headings that only this export has; one of them must be there whole, in any order. */
  readonly signatures: readonly (readonly string[])[];
  /** The headings of each field, in the order of preference. */
  readonly columns: Readonly<Partial<Record<Field, readonly string[]>>>;
  /** The headings of columns whose values could be names of groups, such as tiers, plans and labels. */
  readonly groupHeadings: readonly string[];
  readonly groupSeparator?: string;
  readonly dateOrder?: DateOrder;
  /** The zone of times of day that name none. */
  readonly clockTimeZone?: string;
  /** In the form of `foldWord`; see `ListReading`. */
  readonly statusWords?: Readonly<Record<string, StatusMeaning>>;
  readonly paidWords?: Readonly<Record<string, boolean>>;
}
