import { headingNames } from './heading-names.ts';

/** A field of a member in a list, named as the column of exports. */
export type Field = keyof typeof headingNames;
export const fields = Object.keys(headingNames) as Field[];

/** The fields that the people of a source can have, in the order in which they are shown. */
export const sourceFields = [
  'email',
  'displayName',
  'firstName',
  'lastName',
  'paid',
  'status',
  'groups',
  'groupsEndAt',
] as const satisfies readonly Field[];
export type SourceField = (typeof sourceFields)[number];

/** The column index of each field, from 0; null for none. One column can have the values of several fields. */
export type Columns = Readonly<Record<Field, number | null>>;

export const noColumns = Object.fromEntries(fields.map((field) => [field, null])) as Columns;
