import type { ListQuestion, ListReading } from '@gatehouse/member-lists';
import { CommandFailure } from '../../../app/failure.ts';
import { printable } from '../../../base/text/printable.ts';
import { orderOption, separatorOption, statusOption } from '../../lists/answers.ts';
import { argument, counted } from '../../shared/output.ts';
import type { ColumnExamples } from './column-examples.ts';

/** A question about a list, with the options of which one answers it. */
export interface OpenQuestion {
  readonly type: ListQuestion['type'];
  readonly text: string;
  readonly answers: readonly Answer[];
}

interface Answer {
  /** As it can be copied into a shell. */
  readonly option: string;
  readonly meaning: string;
}

/** What the questions are about. */
export interface DescribedList {
  readonly headings: readonly string[];
  readonly reading: ListReading;
  readonly examples: ColumnExamples;
}

/** The questions without which some rows cannot be read. */
export function openQuestions(questions: readonly ListQuestion[], list: DescribedList): OpenQuestion[] {
  return questions.flatMap((question) => describe(question, list) ?? []);
}

/** Ends an import, before anything is changed, with the questions that are open. */
export class QuestionsOpen extends CommandFailure {
  constructor(questions: readonly OpenQuestion[]) {
    const all = questions.length === 1 ? 'One question is' : `${questions.length} questions are`;
    super(
      'questions_open',
      `${all} open, so nothing was changed. Add an option for each to the command; or add --yes to import the other rows, and list those that need an answer as failed.`,
      2,
    );
    this.details = { questions };
  }
}

/** A question as lines of text. */
export function questionText({ text, answers }: OpenQuestion): string {
  const width = Math.max(...answers.map(({ option }) => option.length));
  const lines = answers.map(({ option, meaning }) => `    ${option.padEnd(width)}  ${meaning}`.trimEnd());
  return [`Question: ${text}`, ...lines].map(printable).join('\n');
}

/** The columns that could be groups, with the options that use them. */
export function offeredGroups(questions: readonly ListQuestion[], list: DescribedList): string | undefined {
  const { groups } = list.reading.columns;
  const mapped = (column: number) => optionFor('--map', `groups=${list.headings[column]}`);
  // The option is instead of the column that was found.
  const found = groups === null ? '' : `${mapped(groups)} `;
  const offered = questions.flatMap((question) => {
    if (question.type !== 'groups') return [];
    const named = question.nameColumns.map((column) => [column, `${found}${mapped(column)}`]);
    const marked = question.markColumns.map((column) => [
      column,
      optionFor('--group-column', list.headings[column]!),
    ]);
    return [...named, ...marked] as [number, string][];
  });
  if (offered.length === 0) return undefined;
  const each = offered.map(([column, option]) => `${option}${inBrackets(examplesOf(column, list))}`);
  return `${counted(offered.length, 'column')} could name groups, and ${offered.length === 1 ? 'is' : 'are'} not used. To use: ${each.join(', ')}.`;
}

function describe(question: ListQuestion, list: DescribedList): OpenQuestion | undefined {
  const { type } = question;
  switch (type) {
    case 'column': {
      const answers = question.columns.map((column) => ({
        option: optionFor('--map', `${question.field}=${list.headings[column]}`),
        meaning: examplesOf(column, list),
      }));
      const none = { option: optionFor('--map', `${question.field}=`), meaning: 'none of them' };
      const isRequired = question.field === 'email';
      return {
        type,
        text: `Which column is ${question.field}? Several could be.`,
        answers: isRequired ? answers : [...answers, none],
      };
    }
    case 'dateOrder':
      return {
        type,
        text: `What comes first in dates such as ${quotedExamples(question.examples)}?`,
        answers: [
          { option: `--date-order ${orderOption('dayFirst')}`, meaning: 'the day' },
          { option: `--date-order ${orderOption('monthFirst')}`, meaning: 'the month' },
        ],
      };
    case 'groupSeparator':
      return {
        type,
        text: `What separates the groups in cells such as ${quotedExamples(question.examples)}?`,
        answers: [...question.separators, ''].map((separator) => ({
          option: optionFor('--group-separator', separatorOption(separator)),
          meaning: separator === '' ? 'each cell is one group' : '',
        })),
      };
    case 'statusWords':
      return {
        type,
        text: 'What do these words in the column of the status mean? Each is active, blocked or left-out; these are suggestions.',
        answers: question.words.map(({ word, rows, suggestion }) => ({
          option: optionFor('--status', statusOption(word, suggestion)),
          meaning: counted(rows, 'row'),
        })),
      };
    case 'groups':
      return undefined;
  }
}

function optionFor(name: string, value: string): string {
  return `${name} ${argument(value)}`;
}

/** Never of a column with secrets. */
function examplesOf(column: number, { reading, examples }: DescribedList): string {
  return reading.secretColumns.includes(column) ? '' : examples.of(column).join(', ');
}

function quotedExamples(examples: readonly string[]): string {
  return examples.map((example) => JSON.stringify(example)).join(', ');
}

function inBrackets(text: string): string {
  return text === '' ? '' : ` (${text})`;
}
