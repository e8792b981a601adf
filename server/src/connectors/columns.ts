import type { CollectionColumns } from '@gatehouse/contract';
import { parsePaid } from '@gatehouse/member-lists';
import { invalidRequest } from '../base/api-error.ts';
import { foldCase } from '../base/text/text.ts';
import { CollectionUnreadable } from '../domain/sources/workspaces/workspace.ts';

/** Whether a value of the column `paid` means that someone has paid. */
export function meansPaid(value: string, { paidValues = [] }: CollectionColumns): boolean {
  if (paidValues.length === 0) return parsePaid(value) === true;
  const wanted = foldCase(value.trim());
  return paidValues.some((each) => foldCase(each.trim()) === wanted);
}

/** The keys of the columns that are used. */
export function usedColumns(columns: CollectionColumns): string[] {
  const { email, displayName, firstName, lastName, paid, status, groups, groupsEndAt } = columns;
  const { furtherGroups = [], groupColumns = [] } = columns;
  const single = [email, displayName, firstName, lastName, paid, status, groups, groupsEndAt];
  return [...single.filter((key) => typeof key === 'string'), ...furtherGroups, ...groupColumns];
}

export function columnsMissing(names: readonly string[]): CollectionUnreadable {
  const [subject, pronoun] = names.length === 1 ? ['The column', 'it'] : ['The columns', 'them'];
  return new CollectionUnreadable(
    'columns_missing',
    `${subject} ${names.map((name) => `"${name}"`).join(', ')} cannot be found or used any more. Restore ${pronoun} in ` +
      'the workspace, or choose other columns.',
  );
}

/** The fields of `CollectionColumns` that only lists at a URL have. */
const listColumns = [
  'firstName',
  'groupsEndAt',
  'furtherGroups',
  'groupColumns',
  'groupSeparator',
  'status',
  'statusWords',
  'dateOrder',
  'export',
  'exportColumns',
] as const satisfies readonly (keyof CollectionColumns)[];

/**
 * @param path of the columns in the request
 * @throws {ApiError} `invalid_request` if columns are used that only lists at a URL have
 */
export function rejectListColumns(path: string, columns: CollectionColumns): void {
  const unusable = listColumns.find((name) => columns[name] !== undefined && columns[name] !== null);
  if (unusable === undefined) return;
  throw invalidRequest(`${path}/${unusable}`, `${unusable}: Only lists at a URL have it. Leave it out.`);
}
