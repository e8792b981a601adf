import { type Field, fields, type ListReading, type ListSurvey, simplified } from '@gatehouse/member-lists';
import { CommandFailure, WrongUsage } from './failure.ts';

/** The headings that the option `--map` names. */
export type Mapping = Readonly<Partial<Record<Field, string>>>;

/** Reads `email=E-mail,displayName=Name` for the option `--map`. A heading may contain a comma. */
export function parseMapping(texts: readonly string[]): Mapping {
  const mapping: Partial<Record<Field, string>> = {};
  const start = new RegExp(`,(?=\\s*(?:${fields.join('|')})\\s*=)`, 'i');
  for (const part of texts.flatMap((text) => text.split(start))) {
    const [name = '', ...heading] = part.split('=');
    const field = fields.find((each) => simplified(each) === simplified(name));
    if (field === undefined || heading.length === 0) {
      throw new WrongUsage(
        `Write --map as field=heading, such as "email=E-mail"; the fields are ${fields.join(', ')}.`,
      );
    }
    mapping[field] = heading.join('=').trim();
  }
  return mapping;
}

/**
 * Finds the columns by their headings: those of the mapping first, the others by their names.
 * @param timeZone that of days
 * @throws {CommandFailure} when there is no email column, or several columns for one field
 */
export function readingBy(survey: ListSurvey, mapping: Mapping, timeZone = 'UTC'): ListReading {
  const { headings } = survey;
  const columns: Partial<Record<Field, number>> = {};
  for (const field of fields) {
    const heading = mapping[field];
    if (heading !== undefined) columns[field] = findColumn(field, heading, headings);
  }
  const { reading, questions } = survey.propose({ columns }, { timeZone, groupNames: new Set() });
  for (const question of questions) {
    if (question.kind === 'column') {
      const found = question.columns.map((column) => headings[column]!);
      throw severalColumns(question.field, found);
    }
  }
  if (reading.columns.email !== null) return reading;
  throw new CommandFailure(
    'no_email_column',
    `There is no email column among ${quoted(headings)}. Name it with --map "email=<heading>".`,
  );
}

function findColumn(field: Field, wanted: string, headings: readonly string[]): number {
  const withName = (isWanted: (heading: string) => boolean) =>
    [...headings.keys()].filter((column) => isWanted(headings[column]!));
  const exact = withName((heading) => heading.trim() === wanted);
  const found = exact.length > 0 ? exact : withName((heading) => simplified(heading) === simplified(wanted));
  if (found.length > 1)
    throw severalColumns(
      field,
      found.map((column) => headings[column]!),
    );
  if (found.length === 1) return found[0]!;
  throw new CommandFailure(
    'no_such_column',
    `There is no column "${wanted}" among ${quoted(headings)}. Correct --map.`,
  );
}

function severalColumns(field: Field, headings: readonly string[]): CommandFailure {
  return new CommandFailure(
    'ambiguous_column',
    `Several columns match ${field}: ${quoted(headings)}. Choose one with --map "${field}=<heading>", or rename the others.`,
  );
}

function quoted(headings: readonly string[]): string {
  return headings.map((heading) => `"${heading}"`).join(', ');
}
