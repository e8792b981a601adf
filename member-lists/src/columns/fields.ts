/** The fields of a member in a list, named as the columns of exports. */
export const fields = [
  'email',
  'displayName',
  'firstName',
  'lastName',
  'paid',
  'status',
  'groups',
  'groupsEndAt',
  'registeredAt',
] as const;
export type Field = (typeof fields)[number];

/** The column index of each field, from 0; null for none. One column can have the values of several fields. */
export type Columns = Readonly<Record<Field, number | null>>;

export const noColumns: Columns = {
  email: null,
  displayName: null,
  firstName: null,
  lastName: null,
  paid: null,
  status: null,
  groups: null,
  groupsEndAt: null,
  registeredAt: null,
};
