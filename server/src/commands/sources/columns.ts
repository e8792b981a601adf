import type { CollectionColumns, CollectionPreview } from '@gatehouse/contract';
import { type SourceField, sourceFields } from '@gatehouse/member-lists';
import type { Command } from 'commander';
import { CommandFailure, WrongUsage } from '../../app/failure.ts';
import { type AnswerOptions, addAnswerOptions } from '../lists/answers.ts';
import { quoted } from '../lists/column-mapping.ts';
import { gather } from '../shared/add-command.ts';
import { findNamed } from './named-source.ts';

/** What a column can be used for, with its option: what the column has, and what happens without one. */
const columnOptions: Readonly<Record<SourceField, readonly [name: string, about: string, without: string]>> =
  {
    email: ['email', 'the email addresses', ''],
    displayName: ['name', 'the names', 'leave the names of members as they are'],
    firstName: ['first-name', 'first names, beside one with whole or last names', 'add no first names'],
    lastName: ['last-name', 'last names, which are added to the names', 'add no last names'],
    paid: ['paid', 'who is paying', 'leave it as it is'],
    groups: ['groups', 'the groups of each person, each a scope group', 'make the collection one group'],
    groupsEndAt: ['groups-end-at', 'the last day of each membership', 'use no ends'],
    status: ['status-column', 'states, of which only "active" is in the collection', 'use no states'],
  };
/** Those that only lists have, and only if they are used. */
const listRoles: readonly SourceField[] = ['firstName', 'status', 'groupsEndAt'];

/** The words of a use. */
export function columnName(role: SourceField): string {
  return columnOptions[role][0];
}

/** A column by its heading or key; false for none. */
export type ColumnOptions = AnswerOptions & {
  readonly furtherGroups?: readonly string[];
} & Readonly<Record<string, unknown>>;

export function addColumnOptions(command: Command): Command {
  for (const role of sourceFields) {
    const [name, about, without] = columnOptions[role];
    command.option(`--${name} <column>`, `the column with ${about}`);
    if (without) command.option(`--no-${name}`, without);
  }
  command.option('--further-groups <column>', 'a further column with groups; repeat it for several', gather);
  return addAnswerOptions(command);
}

type PreviewColumn = CollectionPreview['columns'][number];
type KeyOf = (column: string, option: string) => string;

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
  const keyOf: KeyOf = (named, option) => requireColumn(columns, named, option).key;
  const chosen = (role: SourceField): string | null => {
    const name = columnName(role);
    const column = options[name.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase())];
    if (column === false) return null;
    return typeof column === 'string' ? keyOf(column, name) : (defaults?.[role] ?? null);
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
    ...withoutMissing(Object.fromEntries(listRoles.map((role) => [role, chosen(role) ?? undefined]))),
    ...withoutMissing(listAnswersBy(options, defaults, guess, keyOf)),
  };
}

/** How a list is read: by the options, or else as before or as guessed. */
function listAnswersBy(
  { furtherGroups, groupColumn, groupSeparator, dateOrder, status, exportOf }: ColumnOptions,
  defaults: CollectionColumns | null,
  guess: CollectionColumns | null,
  keyOf: KeyOf,
): object {
  const system = exportOf === 'none' ? null : (exportOf ?? defaults?.export);
  // The columns of the export that are there now, or else those of before, which the list may get again.
  const known = [guess, defaults].find((each) => system && each?.export === system);
  const statusWords = status && Object.entries(status).map(([word, meaning]) => ({ word, meaning }));
  return {
    furtherGroups: furtherGroups?.map((column) => keyOf(column, 'further-groups')) ?? defaults?.furtherGroups,
    groupColumns: groupColumn?.map((column) => keyOf(column, 'group-column')) ?? defaults?.groupColumns,
    groupSeparator: groupSeparator ?? defaults?.groupSeparator,
    dateOrder: dateOrder ?? defaults?.dateOrder,
    statusWords: statusWords ?? defaults?.statusWords,
    export: system,
    exportColumns: known?.exportColumns,
  };
}

function withoutMissing(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Null if a column that was chosen does not exist any more. */
function stillThere(
  before: CollectionColumns | null,
  columns: readonly PreviewColumn[],
): CollectionColumns | null {
  const used = sourceFields.map((role) => before?.[role]).filter((key) => typeof key === 'string');
  return used.every((used) => columns.some(({ key }) => key === used)) ? before : null;
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
