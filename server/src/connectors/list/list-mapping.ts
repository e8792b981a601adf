import type { CollectionColumns, CollectionQuestion } from '@gatehouse/contract';
import { sourceTypes } from '@gatehouse/contract/source-types';
import {
  type Columns,
  type Field,
  foldWord,
  type KnownExportName,
  knownExport,
  knownExportNames,
  type ListAnswers,
  type ListQuestion,
  type ListReading,
  missingStateHeadings,
  noColumns,
  sourceFields,
} from '@gatehouse/member-lists';
import { usedColumns } from '../columns.ts';

// How a list is read, in the words of the API (columns by heading) and in those of `member-lists` (columns by index).

/** The key of the only collection of a list. */
export const listKey = sourceTypes.list.onlyCollection;

/** What a mapping says about a list. A field without a column has none: nothing is found out by headings. */
export function answersOf(mapping: CollectionColumns, headings: readonly string[]): ListAnswers {
  const indexOf = (key: string) => headings.indexOf(key);
  const columns: Record<Field, number | null> = { ...noColumns };
  for (const field of sourceFields) {
    const key = mapping[field];
    if (typeof key === 'string') columns[field] = indexOf(key);
  }
  const { groupSeparator, dateOrder, statusWords = [], furtherGroups = [], groupColumns = [] } = mapping;
  return {
    export: isExportName(mapping.export) ? mapping.export : null,
    columns,
    nameColumns: furtherGroups.map(indexOf),
    groupColumns: groupColumns.map(indexOf),
    ...(typeof groupSeparator === 'string' && { groupSeparator }),
    ...(dateOrder && { dateOrder }),
    statusWords: Object.fromEntries(statusWords.map(({ word, meaning }) => [foldWord(word), meaning])),
  };
}

export function isExportName(name: string | null | undefined): name is KnownExportName {
  return (knownExportNames as readonly (string | null | undefined)[]).includes(name);
}

/**
 * The headings of a mapping that a list does not have. Without a column about the state, everyone whom the other system
 * has shut out would be in the collection.
 */
export function missingColumns(mapping: CollectionColumns, headings: readonly string[]): string[] {
  const missing = usedColumns(mapping).filter((key) => !headings.includes(key));
  const { export: name, exportColumns } = mapping;
  if (!isExportName(name)) return missing;
  const ofExport = exportColumns
    ? exportColumns.filter((key) => !headings.includes(key))
    : missingStateHeadings(knownExport(name), headings);
  return [...new Set([...missing, ...ofExport])];
}

/** A reading that was found out, as a mapping; null without addresses. */
export function mappingOf(reading: ListReading, headings: readonly string[]): CollectionColumns | null {
  const keyOf = (field: Field) => keyAt(reading.columns, field, headings);
  const email = keyOf('email');
  if (email === null) return null;
  const [displayName, firstName] = [keyOf('displayName'), keyOf('firstName')];
  const groupsEndAt = keyOf('groupsEndAt');
  const status = keyOf('status');
  return {
    email,
    displayName: displayName ?? firstName,
    ...(displayName !== null && firstName !== null && { firstName }),
    lastName: keyOf('lastName'),
    paid: keyOf('paid'),
    groups: keyOf('groups'),
    ...(groupsEndAt !== null && { groupsEndAt }),
    ...(status !== null && { status }),
    ...(reading.export !== null && {
      export: reading.export,
      exportColumns: exportColumnsOf(reading, headings),
    }),
  };
}

/** The columns that are used only because the list is an export. */
function exportColumnsOf(
  { stateColumns, furtherEndColumns }: ListReading,
  headings: readonly string[],
): string[] {
  const columns = new Set([...stateColumns.map(({ column }) => column), ...furtherEndColumns]);
  return [...columns].map((column) => headings[column]!);
}

function keyAt(columns: Columns, field: Field, headings: readonly string[]): string | null {
  const index = columns[field];
  return index === null ? null : headings[index]!;
}

/** A question with the keys of its columns. */
export function toCollectionQuestion(
  question: ListQuestion,
  headings: readonly string[],
): CollectionQuestion {
  const keysOf = (columns: readonly number[]) => columns.map((column) => headings[column]!);
  const empty: CollectionQuestion = {
    type: question.type,
    field: null,
    columns: [],
    markColumns: [],
    separators: [],
    examples: [],
    words: [],
  };
  switch (question.type) {
    case 'column':
      return { ...empty, field: question.field, columns: keysOf(question.columns) };
    case 'dateOrder':
      return { ...empty, examples: [...question.examples] };
    case 'groupSeparator':
      return { ...empty, separators: [...question.separators], examples: [...question.examples] };
    case 'statusWords':
      return { ...empty, words: question.words.map((word) => ({ ...word })) };
    case 'groups':
      return {
        ...empty,
        columns: keysOf(question.nameColumns),
        markColumns: keysOf(question.markColumns),
      };
  }
}
