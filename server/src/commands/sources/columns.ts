import type { CollectionColumns, CollectionPreview } from '@gatehouse/client';
import { type SourceField, sourceFields } from '@gatehouse/member-lists';
import type { Command } from 'commander';
import { CommandFailure, WrongUsage } from '../../app/failure.ts';
import { gather } from '../shared/add-command.ts';
import { addOldSpelling } from '../shared/old-spelling.ts';
import { addListColumnOptions, type ListOptions, listAnswersBy } from './list-columns.ts';
import { findNamed } from './named-source.ts';

/** What a column can be used for, in the order in which it is shown. */
export const roles = sourceFields;
/** Those that only lists have, and only if they are used. */
const listRoles = ['firstName', 'status', 'groupsEndAt'] as const;
export type Role = SourceField;

/** The options and the words of the uses. */
export const columnNames: Readonly<Record<Role, string>> = {
  email: 'email',
  displayName: 'name',
  firstName: 'first-name',
  lastName: 'last-name',
  paid: 'paid',
  status: 'status-column',
  groups: 'groups',
  groupsEndAt: 'groups-end-at',
};

/** A column by its heading or key; false for none. */
export interface ColumnOptions extends ListOptions {
  readonly email?: string;
  readonly name?: string | false;
  readonly firstName?: string | false;
  readonly lastName?: string | false;
  readonly statusColumn?: string | false;
  readonly groupsEndAt?: string | false;
  readonly paid?: string | false;
  readonly groups?: string | false;
  readonly paidValue?: readonly string[];
}

export function addColumnOptions(command: Command): Command {
  const withColumns = command
    .option('--email <column>', 'the column with the email addresses')
    .option('--name <column>', 'the column with the names')
    .option('--no-name', 'leave the names of members as they are')
    .option('--first-name <column>', 'the column with first names, beside one with whole or last names')
    .option('--no-first-name', 'add no first names')
    .option('--last-name <column>', 'the column with last names, which are added to the names')
    .option('--no-last-name', 'add no last names')
    .option('--paid <column>', 'the column that says who is paying')
    .option('--no-paid', 'leave it as it is')
    .option('--paid-value <value>', 'a value that means paying; repeat it for several (default: yes)', gather)
    .option('--groups <column>', 'the column with the groups of each person, each a scope group')
    .option('--no-groups', 'make the collection one group')
    .option('--groups-end-at <column>', 'the column with the last day of each membership')
    .option('--no-groups-end-at', 'use no ends')
    .option('--status-column <column>', 'the column with states, of which only "active" is in the collection')
    .option('--no-status-column', 'use no states');
  addOldSpelling(withColumns, '--ends', '--groups-end-at');
  addOldSpelling(withColumns, '--no-ends', '--no-groups-end-at');
  return addListColumnOptions(withColumns);
}

type PreviewColumn = CollectionPreview['columns'][number];

/**
 * The columns to use: those of the options, the others as before or else as guessed.
 * @throws {CommandFailure} `no_email_column`, `no_such_column`, `no_such_value`
 */
export function columnsBy(
  { columns, guess }: CollectionPreview,
  before: CollectionColumns | null,
  options: ColumnOptions,
): CollectionColumns {
  const defaults = stillThere(before, columns) ?? guess;
  const named: Readonly<Record<Role, string | false | undefined>> = {
    email: options.email,
    displayName: options.name,
    firstName: options.firstName,
    lastName: options.lastName,
    paid: options.paid,
    status: options.statusColumn,
    groups: options.groups,
    groupsEndAt: options.groupsEndAt,
  };
  const chosen = (role: Role): string | null => {
    const column = named[role];
    if (column === false) return null;
    if (column === undefined) return defaults?.[role] ?? null;
    return requireColumn(columns, column, columnNames[role]).key;
  };
  const email = chosen('email');
  if (email === null) {
    throw new CommandFailure(
      'no_email_column',
      `No column has email addresses: ${quoted(columns.map(({ name }) => name))}. Name it with --email, or add one.`,
    );
  }
  const paid = chosen('paid');
  const paidValues = options.paidValue ?? (paid === defaults?.paid ? defaults?.paidValues : undefined);
  if (options.paidValue) requirePaidValues(columns, paid, options.paidValue);
  return {
    email,
    displayName: chosen('displayName'),
    lastName: chosen('lastName'),
    paid,
    ...(paidValues && paid !== null && { paidValues: [...paidValues] }),
    groups: chosen('groups'),
    ...Object.fromEntries(listRoles.flatMap((role) => (chosen(role) === null ? [] : [[role, chosen(role)]]))),
    ...listAnswersBy(
      options,
      { defaults, guess },
      (column, option) => requireColumn(columns, column, option).key,
    ),
  };
}

/** Null if a column that was chosen does not exist any more. */
function stillThere(
  before: CollectionColumns | null,
  columns: readonly PreviewColumn[],
): CollectionColumns | null {
  const known = new Set(columns.map(({ key }) => key));
  const used = roles.map((role) => before?.[role]).filter((key) => typeof key === 'string');
  return used.every((key) => known.has(key)) ? before : null;
}

function requireColumn(columns: readonly PreviewColumn[], named: string, option: string): PreviewColumn {
  const found = findNamed(columns, named, 'column');
  if (found) return found;
  throw new CommandFailure(
    'no_such_column',
    `There is no column "${named}" among ${quoted(columns.map(({ name }) => name))}. Correct --${option}.`,
  );
}

/** A value with a typing error would mean that no one is paying. */
function requirePaidValues(
  columns: readonly PreviewColumn[],
  paid: string | null,
  values: readonly string[],
): void {
  if (paid === null) throw new WrongUsage('--paid-value requires the column. Add --paid <column>.');
  const known = columns.find(({ key }) => key === paid)?.options ?? [];
  const folded = new Set(known.map((each) => each.trim().toLowerCase()));
  const unknown = values.find((value) => !folded.has(value.trim().toLowerCase()));
  if (known.length === 0 || unknown === undefined) return;
  throw new CommandFailure(
    'no_such_value',
    `There is no value "${unknown}" among ${quoted(known)}. Correct --paid-value.`,
  );
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
