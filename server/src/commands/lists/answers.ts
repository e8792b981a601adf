import {
  type DateOrder,
  foldWord,
  type KnownExportName,
  knownExportNames,
  type ListAnswers,
  type StatusMeaning,
} from '@gatehouse/member-lists';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { gather } from '../shared/add-command.ts';
import { findColumn, type Mapping, mappedColumns } from './column-mapping.ts';

/** What the options say about how a list is read, besides the mapping. */
export interface AnswerOptions {
  readonly groupColumn?: readonly string[];
  readonly groupSeparator?: string;
  readonly dateOrder?: DateOrder;
  readonly status?: Readonly<Record<string, StatusMeaning>>;
  readonly paidValue?: readonly string[];
  readonly exportOf?: KnownExportName | 'none';
}

const orderNames: Readonly<Record<string, DateOrder>> = {
  'day-first': 'dayFirst',
  'month-first': 'monthFirst',
};
const meaningNames: Readonly<Record<string, StatusMeaning>> = {
  active: 'active',
  blocked: 'blocked',
  'left-out': 'leftOut',
};
const escapes: Readonly<Record<string, string>> = { '\\n': '\n', '\\t': '\t', none: '' };

/** Adds the options that say how a list is read. */
export function addAnswerOptions(command: Command): Command {
  return addListOptions(command).option(
    '--paid-value <value>',
    'a value that means paying; repeat it for several (default: yes)',
    gather,
  );
}

/** Adds those that imports share with lists at an address. */
export function addListOptions(command: Command): Command {
  return command
    .option('--group-column <heading>', 'a column that is named after a group; repeat it for several', gather)
    .addOption(
      new Option(
        '--group-separator <text>',
        'what separates groups in a cell: ",", "\\n" (a line break), or none if each cell is one group',
      ).argParser((text) => escapes[text] ?? text),
    )
    .addOption(
      new Option(
        '--date-order <order>',
        `the order in dates such as 03/04/2026: ${Object.keys(orderNames).join(', ')}`,
      ).argParser(parseOrder),
    )
    .option(
      '--status <word=meaning>',
      'what a status means: "canceled=left-out", "=active" or "=blocked"; "*" for all others; repeat it for several',
      parseStatus,
    )
    .addOption(
      new Option(
        '--export-of <system>',
        `the system that wrote the list: ${knownExportNames.join(', ')}, or none`,
      ).argParser(parseExport),
    );
}

/** How the options and the mapping answer what a list leaves open. @throws {CommandFailure} for an unknown heading */
export function answersOf(
  options: AnswerOptions,
  mapping: Mapping,
  headings: readonly string[],
): ListAnswers {
  const { columns, nameColumns } = mappedColumns(mapping, headings);
  const { groupColumn, groupSeparator, dateOrder, status, paidValue, exportOf } = options;
  const groupColumns = groupColumn?.map((heading) => findColumn(heading, headings, '--group-column'));
  return {
    columns,
    ...(nameColumns.length > 0 && { nameColumns }),
    ...(groupColumns && { groupColumns }),
    ...(groupSeparator !== undefined && { groupSeparator }),
    ...(dateOrder && { dateOrder }),
    ...(status && { statusWords: status }),
    ...(paidValue && { paidWords: paidWordsOf(paidValue) }),
    ...(exportOf && { export: exportOf === 'none' ? null : exportOf }),
  };
}

/** The option that says what a word means, to be copied. */
export function statusOption(word: string, meaning: StatusMeaning): string {
  const name = Object.keys(meaningNames).find((each) => meaningNames[each] === meaning);
  return `${word}=${name}`;
}

/** The option for a separator, to be copied. */
export function separatorOption(separator: string): string {
  return Object.keys(escapes).find((each) => escapes[each] === separator) ?? separator;
}

/** The option for an order of dates. */
export function orderOption(order: DateOrder): string {
  return Object.keys(orderNames).find((each) => orderNames[each] === order)!;
}

function paidWordsOf(values: readonly string[]): Record<string, boolean> {
  return { '*': false, ...Object.fromEntries(values.map((value) => [foldWord(value), true])) };
}

function parseOrder(text: string): DateOrder {
  const order = orderNames[text];
  if (order) return order;
  throw new InvalidArgumentError(`Use ${Object.keys(orderNames).join(' or ')}.`);
}

function parseStatus(
  text: string,
  earlier: Readonly<Record<string, StatusMeaning>> = {},
): Record<string, StatusMeaning> {
  const end = text.lastIndexOf('=');
  const name = text.slice(end + 1).trim();
  if (end !== -1 && Object.hasOwn(meaningNames, name))
    return { ...earlier, [foldWord(text.slice(0, end))]: meaningNames[name]! };
  throw new InvalidArgumentError(
    `Write it as "<word>=<meaning>"; the meanings are ${Object.keys(meaningNames).join(', ')}.`,
  );
}

function parseExport(text: string): KnownExportName | 'none' {
  const wanted = text.toLowerCase().replaceAll(/[^a-z]/g, '');
  if (wanted === 'none') return wanted;
  const found = knownExportNames.find((name) => name.toLowerCase() === wanted);
  if (found) return found;
  throw new InvalidArgumentError(`Use none, or one of ${knownExportNames.join(', ')}.`);
}
