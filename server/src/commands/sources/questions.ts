import type { CollectionColumns, CollectionPreview } from '@gatehouse/contract';
import { foldWord } from '@gatehouse/member-lists';
import { separatorOption } from '../lists/answers.ts';
import { quoted } from '../lists/column-mapping.ts';

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
