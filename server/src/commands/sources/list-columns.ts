import type { CollectionColumns, CollectionPreview } from '@gatehouse/client';
import { foldWord } from '@gatehouse/member-lists';
import type { Command } from 'commander';
import { type AnswerOptions, addListOptions, separatorOption } from '../lists/answers.ts';
import { gather } from '../shared/add-command.ts';

/** What the options say about how a list at an address is read. */
export interface ListOptions extends Omit<AnswerOptions, 'paidValue'> {
  readonly furtherGroups?: readonly string[];
}

export function addListColumnOptions(command: Command): Command {
  return addListOptions(
    command.option(
      '--further-groups <column>',
      'a further column with groups; repeat it for several',
      gather,
    ),
  );
}

/** How a list is read: by the options, or else as before or as guessed. */
export function listAnswersBy(
  options: ListOptions,
  {
    defaults,
    guess,
  }: { readonly defaults: CollectionColumns | null; readonly guess: CollectionColumns | null },
  keyOf: (column: string, option: string) => string,
): Partial<CollectionColumns> {
  const { furtherGroups, groupColumn, groupSeparator, dateOrder, status, exportOf } = options;
  const keysOf = (columns: readonly string[] | undefined, option: string) =>
    columns?.map((column) => keyOf(column, option));
  const system = exportOf === 'none' ? null : (exportOf ?? defaults?.export);
  // The columns of the export that are there now, or else those of before, which the list may get again.
  const known = [guess, defaults].find((each) => system && each?.export === system);
  const statusWords = status && Object.entries(status).map(([word, meaning]) => ({ word, meaning }));
  const answers: { [Name in keyof CollectionColumns]?: CollectionColumns[Name] | undefined } = {
    furtherGroups: keysOf(furtherGroups, 'further-groups') ?? defaults?.furtherGroups,
    groupColumns: keysOf(groupColumn, 'group-column') ?? defaults?.groupColumns,
    groupSeparator: groupSeparator ?? defaults?.groupSeparator,
    dateOrder: dateOrder ?? defaults?.dateOrder,
    statusWords: statusWords ?? defaults?.statusWords,
    export: system,
    exportColumns: known?.exportColumns,
  };
  return Object.fromEntries(Object.entries(answers).filter(([, answer]) => answer !== undefined));
}

type Question = CollectionPreview['questions'][number];

/** What a list leaves open, with the option that answers it. */
export function describeQuestions(
  { export: system, questions, columns }: CollectionPreview,
  chosen: CollectionColumns | null = null,
): string[] {
  const nameOf = (key: string) => columns.find((column) => column.key === key)?.name ?? key;
  const open = questions
    .map((question) => withoutMeanings(question, chosen))
    .filter((question) => !isAnswered(question, chosen));
  return [
    ...(system ? [`This is an export of ${system.title}.`] : []),
    ...open.map((question) => questionText(question, (keys) => quoted(keys.map(nameOf)))),
  ];
}

/** A question with the words that have no meaning yet. */
function withoutMeanings(question: Question, chosen: CollectionColumns | null): Question {
  const known = new Set((chosen?.statusWords ?? []).map(({ word }) => foldWord(word)));
  const words = known.has('*') ? [] : question.words.filter(({ word }) => !known.has(foldWord(word)));
  return { ...question, words };
}

function isAnswered({ type, words }: Question, chosen: CollectionColumns | null): boolean {
  if (chosen === null) return false;
  const { dateOrder, groupSeparator, groups, furtherGroups = [], groupColumns = [] } = chosen;
  if (type === 'dateOrder') return Boolean(dateOrder);
  if (type === 'groupSeparator') return typeof groupSeparator === 'string';
  if (type === 'statusWords') return words.length === 0;
  return type === 'groups' && (Boolean(groups) || furtherGroups.length + groupColumns.length > 0);
}

function questionText(question: Question, names: (keys: readonly string[]) => string): string {
  const { type, field, columns, markColumns, examples, separators, words } = question;
  switch (type) {
    case 'column':
      return `Several columns could be ${field}: ${names(columns)}. Name the right one.`;
    case 'dateOrder':
      return `Day and month could be swapped, as in ${quoted(examples)}. Use --date-order day-first or month-first.`;
    case 'groupSeparator':
      return `It is not clear what separates the groups in ${quoted(examples)}. Use --group-separator with ${quoted(
        [...separators, ''].map(separatorOption),
      )}.`;
    case 'statusWords':
      return `States without a meaning: ${quoted(words.map(({ word }) => word))}. Use --status "<word>=<meaning>".`;
    default:
      return [
        columns.length > 0 &&
          `Columns that could name groups: ${names(columns)} (--groups, --further-groups).`,
        markColumns.length > 0 &&
          `Columns that could be named after a group: ${names(markColumns)} (--group-column).`,
      ]
        .filter(Boolean)
        .join(' ');
  }
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
