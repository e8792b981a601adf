import { fields, knownExport, type ListReading, type TextEncoding } from '@gatehouse/member-lists';
import { orderOption, separatorOption, statusOption } from '../../lists/answers.ts';
import { quoted } from '../../lists/column-mapping.ts';
import type { SurveyedFile } from '../../lists/list-file.ts';

/** How a list is read, with headings instead of the places of columns, for `--json`. */
export function readingJson({ survey, delimiter }: SurveyedFile, reading: ListReading) {
  const { headings } = survey;
  const at = (column: number | null) => (column === null ? null : headings[column]!);
  const { export: exportOf, columns, nameColumns, groupColumns, stateColumns } = reading;
  const { groupSeparator, dateOrder, timeZone, clockTimeZone, statusWords, paidWords } = reading;
  return {
    exportOf,
    delimiter,
    columns: Object.fromEntries(fields.map((field) => [field, at(columns[field])])),
    nameColumns: nameColumns.map(at),
    groupColumns: groupColumns.map(({ column }) => at(column)),
    stateColumns: stateColumns.map(({ column }) => at(column)),
    groupSeparator,
    dateOrder: dateOrder && orderOption(dateOrder),
    timeZone,
    clockTimeZone,
    statusWords,
    paidWords,
  };
}

/** How a list is read, as lines of text. */
export function readingText({ survey }: SurveyedFile, reading: ListReading): string[] {
  const { headings } = survey;
  const { export: exportOf, columns, stateColumns } = reading;
  const used = fields.flatMap((field) => {
    const column = columns[field];
    return column === null ? [] : `${field} from "${headings[column]}"`;
  });
  const words = columns.status === null ? '' : wordsText(reading);
  const lines = [
    exportOf &&
      `This is an export of ${knownExport(exportOf).title}. (To read it without what is known about these exports: --export-of none.)`,
    `Columns: ${used.join(', ')}.`,
    groupsText(headings, reading),
    timesText(reading),
    words !== '' && `Status: ${words}.`,
    stateColumns.length > 0 &&
      `Status also from ${quoted(stateColumns.map(({ column }) => headings[column]!))}.`,
  ];
  return lines.filter((line) => typeof line === 'string');
}

function groupsText(headings: readonly string[], reading: ListReading): string | undefined {
  const { columns, nameColumns, groupColumns, groupSeparator } = reading;
  const named = [columns.groups, ...nameColumns].filter((column) => column !== null);
  const all = [...named, ...groupColumns.map(({ column }) => column)];
  if (all.length === 0) return undefined;
  const separated =
    groupSeparator === '' || groupSeparator === null
      ? ''
      : `, separated by "${separatorOption(groupSeparator)}"`;
  return `Groups: from ${quoted(all.map((column) => headings[column]!))}${named.length > 0 ? separated : ''}.`;
}

function timesText({ columns, dateOrder, timeZone }: ListReading): string | undefined {
  if (columns.registeredAt === null && columns.groupsEndAt === null) return undefined;
  const order = dateOrder ? `, ${orderOption(dateOrder)}` : '';
  return `Dates: days in ${timeZone}${order}.`;
}

/** The words that are not themselves the meaning. */
function wordsText({ statusWords }: ListReading): string {
  return Object.entries(statusWords)
    .filter(([word, meaning]) => word !== meaning)
    .map(([word, meaning]) => `"${statusOption(word, meaning)}"`)
    .join(', ');
}

const encodingNames: Readonly<Record<TextEncoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252, which Excel writes on Windows',
  macintosh: 'Mac Roman, which Excel writes on a Mac',
  shift_jis: 'Shift_JIS, which Excel writes in Japanese',
};

/** A note about the encoding of a file; undefined for UTF-8. */
export function encodingNote(encoding: TextEncoding): string | undefined {
  if (encoding === 'utf-8') return undefined;
  return `The file is read as ${encodingNames[encoding]}. If letters are wrong, choose another encoding with --encoding.`;
}
