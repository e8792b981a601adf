import {
  type Columns,
  type Field,
  fields,
  type ListReading,
  type ListSurvey,
  simplified,
} from '@gatehouse/member-lists';
import { CommandFailure, WrongUsage } from '../../app/failure.ts';
import { listed } from '../shared/output.ts';

/** The headings that the option `--map` names; '' for none. Only `groups` can have several. */
export type Mapping = Readonly<Partial<Record<Field, readonly string[]>>>;

/** The columns of a mapping. */
export interface MappedColumns {
  readonly columns: Partial<Columns>;
  /** Further columns with names of groups. */
  readonly nameColumns: readonly number[];
}

/** Reads `email=E-mail,displayName=Name` for the option `--map`. A heading may contain a comma. */
export function parseMapping(texts: readonly string[]): Mapping {
  const mapping: Partial<Record<Field, readonly string[]>> = {};
  const start = new RegExp(`,(?=\\s*(?:${fields.join('|')})\\s*=)`, 'i');
  for (const part of texts.flatMap((text) => text.split(start))) {
    const [name = '', ...heading] = part.split('=');
    const field = fields.find((each) => simplified(each) === simplified(name));
    if (field === undefined || heading.length === 0) {
      throw new WrongUsage(
        `Write --map as field=heading, such as "email=E-mail"; the fields are ${fields.join(', ')}.`,
      );
    }
    const headings = [...(mapping[field] ?? []), heading.join('=').trim()];
    if (headings.length > 1 && field !== 'groups') {
      throw new WrongUsage(`--map names two columns for ${field}: ${quoted(headings)}. Choose one of them.`);
    }
    mapping[field] = headings;
  }
  return mapping;
}

/** Finds the columns of a mapping. @throws {CommandFailure} for a heading that the list does not have */
export function mappedColumns(mapping: Mapping, headings: readonly string[]): MappedColumns {
  const columns: Partial<Record<Field, number | null>> = {};
  let nameColumns: number[] = [];
  for (const field of fields) {
    const [first, ...others] = mapping[field] ?? [];
    if (first === undefined) continue;
    columns[field] = first === '' ? null : findColumn(first, headings, '--map');
    if (field === 'groups') nameColumns = others.map((heading) => findColumn(heading, headings, '--map'));
  }
  return { columns, nameColumns };
}

/**
 * Finds the column with a heading. Of equal ones the first is meant; the others have numbers, as in `Email (2)`.
 * @throws {CommandFailure}
 */
export function findColumn(wanted: string, headings: readonly string[], option: string): number {
  const exact = headings.indexOf(wanted.trim());
  if (exact !== -1) return exact;
  const found = [...headings.keys()].filter((column) => simplified(headings[column]!) === simplified(wanted));
  if (found.length === 1) return found[0]!;
  if (found.length > 1) {
    const similar = found.map((column) => headings[column]!);
    throw new CommandFailure(
      'ambiguous_column',
      `Several columns match "${wanted}": ${quoted(similar)}. Write one of them in ${option} exactly like this.`,
    );
  }
  throw new CommandFailure(
    'no_such_column',
    `There is no column "${wanted}" among ${listed(headings, '"')}. Correct ${option}.`,
  );
}

/**
 * How a list is read with a mapping alone.
 * @throws {CommandFailure} when there is no email column, or several columns for one field
 */
export function readingBy(survey: ListSurvey, mapping: Mapping): ListReading {
  const { headings } = survey;
  const { columns } = mappedColumns(mapping, headings);
  const { reading, questions } = survey.propose({ columns }, { timeZone: 'UTC', groupNames: new Set() });
  for (const question of questions) {
    if (question.type !== 'column') continue;
    const found = question.columns.map((column) => headings[column]!);
    throw new CommandFailure(
      'ambiguous_column',
      `Several columns match ${question.field}: ${quoted(found)}. Choose one with --map "${question.field}=<heading>", or rename the others.`,
    );
  }
  requireEmailColumn(reading, headings);
  return reading;
}

/** @throws {CommandFailure} */
export function requireEmailColumn({ columns, openColumns }: ListReading, headings: readonly string[]): void {
  if (columns.email !== null || openColumns.email) return;
  throw new CommandFailure(
    'no_email_column',
    `There is no email column among ${listed(headings, '"')}. Name it with --map "email=<heading>".`,
  );
}

/** Texts in quotes, as a list. */
export function quoted(texts: readonly string[]): string {
  return texts.map((text) => `"${text}"`).join(', ');
}
