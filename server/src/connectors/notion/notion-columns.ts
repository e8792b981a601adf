import type { CollectionColumns, ColumnType } from '@gatehouse/contract';
import type { DataSourceObjectResponse } from '@notionhq/client';
import { CollectionUnreadable } from '../../domain/sources/workspaces/workspace.ts';
import { meansPaid } from '../columns.ts';

/** A property of a data source. */
export type NotionColumn = DataSourceObjectResponse['properties'][string];

const columnTypes: Readonly<Record<string, ColumnType>> = {
  title: 'text',
  rich_text: 'text',
  email: 'email',
  people: 'people',
  checkbox: 'checkbox',
  select: 'choice',
  status: 'choice',
  multi_select: 'choices',
};

/**
 * What can be read from a property of a type in Notion. Formulas and rollups are not used: Notion computes them from at
 * most 25 related pages, so they may be wrong without a sign of it.
 */
export function columnTypeOf(notionType: string): ColumnType {
  return Object.hasOwn(columnTypes, notionType) ? columnTypes[notionType]! : 'other';
}

const columnRoles = ['email', 'displayName', 'lastName', 'paid', 'groups'] as const;
export type ColumnRole = (typeof columnRoles)[number];

const usableTypes: Readonly<Record<ColumnRole, readonly ColumnType[]>> = {
  email: ['email', 'people', 'text'],
  displayName: ['text', 'people'],
  lastName: ['text'],
  paid: ['checkbox', 'choice', 'choices', 'text'],
  groups: ['choices', 'choice'],
};

export function isUsable(role: ColumnRole, notionType: string): boolean {
  return usableTypes[role].includes(columnTypeOf(notionType));
}

/**
 * Checks that the chosen columns still exist and can be used. Their keys are the ids of properties, which stay when a
 * property is renamed.
 * @returns the ids of the properties to read
 * @throws {CollectionUnreadable} `columns_missing`
 */
export function requireColumns(
  properties: DataSourceObjectResponse['properties'],
  columns: CollectionColumns | null,
): string[] {
  if (columns === null) {
    throw new CollectionUnreadable('columns_missing', 'Choose the column with the email addresses.');
  }
  const known = new Map(Object.values(properties).map((property) => [property.id, property]));
  const problems = columnRoles.flatMap((role) => {
    const key = columns[role];
    if (typeof key !== 'string') return [];
    const property = known.get(key);
    if (property && isUsable(role, property.type)) return [];
    return property
      ? `the column "${property.name}" (${roleNames[role]})`
      : `the column for ${roleNames[role]}`;
  });
  if (problems.length > 0) throw columnsMissing(problems);
  requirePaidValues(known.get(columns.paid ?? ''), columns);
  const title = [...known.values()].filter(({ type }) => type === 'title').map(({ id }) => id);
  const chosen = columnRoles.map((role) => columns[role]).filter((key) => typeof key === 'string');
  return [...new Set([...title, ...chosen])];
}

/** An option that was renamed in Notion would make everyone unpaid. */
function requirePaidValues(property: NotionColumn | undefined, columns: CollectionColumns): void {
  if (!property || columnTypeOf(property.type) === 'text' || property.type === 'checkbox') return;
  if ((columns.paidValues ?? []).length === 0) return;
  if (optionsOf(property).some((option) => meansPaid(option, columns))) return;
  throw new CollectionUnreadable(
    'columns_missing',
    `In Notion, the column "${property.name}" no longer has any of the values that mean that a member is paying. ` +
      'Restore one there, or choose other values.',
  );
}

/** The values that can be chosen in Notion. */
export function optionsOf(property: NotionColumn): string[] {
  if (property.type === 'select') return property.select.options.map(({ name }) => name);
  if (property.type === 'status') return property.status.options.map(({ name }) => name);
  if (property.type === 'multi_select') return property.multi_select.options.map(({ name }) => name);
  return [];
}

const roleNames: Readonly<Record<ColumnRole, string>> = {
  email: 'email addresses',
  displayName: 'names',
  lastName: 'last names',
  paid: 'who is paying',
  groups: 'groups',
};

/** A column was deleted or got another type after the columns were checked. */
export function columnLost(role: ColumnRole): CollectionUnreadable {
  return columnsMissing([`the column for ${roleNames[role]}`]);
}

function columnsMissing(problems: readonly string[]): CollectionUnreadable {
  return new CollectionUnreadable(
    'columns_missing',
    `In Notion, ${problems.join(' and ')} was deleted or has a type that cannot be used. Restore it there, or choose ` +
      'another column.',
  );
}
