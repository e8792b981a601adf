import type { CollectionColumns } from '@gatehouse/contract';
import { parsePaid } from '@gatehouse/member-lists';
import { foldCase } from '../../base/text/text.ts';
import { CollectionUnreadable } from './workspace.ts';

/** Whether a value of the column `paid` means that somebody has paid. */
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
