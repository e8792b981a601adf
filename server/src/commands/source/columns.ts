import type { CollectionColumns, CollectionPreview } from '@gatehouse/client';
import type { Command } from 'commander';
import { gather } from '../add-command.ts';
import { CommandFailure, WrongUsage } from '../failure.ts';
import { findNamed } from './named-source.ts';

/** What a column can be used for, in the order in which it is shown. */
export const roles = ['email', 'displayName', 'lastName', 'paid', 'groups'] as const;
export type Role = (typeof roles)[number];

/** The options and the words of the uses. */
export const columnNames: Readonly<Record<Role, string>> = {
  email: 'email',
  displayName: 'name',
  lastName: 'last-name',
  paid: 'paid',
  groups: 'groups',
};

/** A column by its heading or key; false for none. */
export interface ColumnOptions {
  readonly email?: string;
  readonly name?: string | false;
  readonly lastName?: string | false;
  readonly paid?: string | false;
  readonly groups?: string | false;
  readonly paidValue?: readonly string[];
}

export function addColumnOptions(command: Command): Command {
  return command
    .option('--email <column>', 'the column with the email addresses')
    .option('--name <column>', 'the column with the names')
    .option('--no-name', 'leave the names of members as they are')
    .option('--last-name <column>', 'the column with last names, which are added to the names')
    .option('--no-last-name', 'add no last names')
    .option('--paid <column>', 'the column that says who has paid')
    .option('--no-paid', 'leave it as it is')
    .option('--paid-value <value>', 'a value that means paid; repeat it for several (default: yes)', gather)
    .option('--groups <column>', 'the column with the groups of each person, each a scope group')
    .option('--no-groups', 'make the collection one group');
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
  const named = { ...options, displayName: options.name };
  const chosen = (role: Role): string | null => {
    const name = named[role];
    if (name === false) return null;
    return name === undefined ? (defaults?.[role] ?? null) : requireColumn(columns, name, role).key;
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
    ...{ email, displayName: chosen('displayName'), lastName: chosen('lastName'), paid },
    ...(paidValues && paid !== null && { paidValues: [...paidValues] }),
    groups: chosen('groups'),
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

function requireColumn(columns: readonly PreviewColumn[], named: string, role: Role): PreviewColumn {
  const found = findNamed(columns, named, 'column');
  if (found) return found;
  throw new CommandFailure(
    'no_such_column',
    `There is no column "${named}" among ${quoted(columns.map(({ name }) => name))}. Correct --${columnNames[role]}.`,
  );
}

/** A value with a typing error would mean that nobody has paid. */
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
