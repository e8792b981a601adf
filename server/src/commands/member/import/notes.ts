import {
  type ListReading,
  type MatchedGroups,
  type ProposedReading,
  unusedHeadings,
  usedColumns,
} from '@gatehouse/member-lists';
import { quoted } from '../../lists/column-mapping.ts';
import type { SurveyedFile } from '../../lists/list-file.ts';
import { counted, listed } from '../../shared/output.ts';
import { daysAreInUtc } from '../site-time-zone.ts';
import type { ImportReport } from './import-report.ts';
import { encodingNote } from './reading-text.ts';
import type { Survey } from './survey.ts';

/** What to know about how a list is read. */
export function noteReading(
  { encoding, headings, survey }: SurveyedFile,
  { reading, statefulColumns }: ProposedReading,
  report: ImportReport,
): void {
  const note = encodingNote(encoding);
  if (note !== undefined) report.warn(note);
  const unused = unusedHeadings(headings, reading);
  if (unused.length > 0) {
    report.warn(`Ignoring ${counted(unused.length, 'column')} that members do not have: ${listed(unused)}.`);
  }
  const used = usedColumns(reading);
  const stateful = statefulColumns.filter((column) => !used.has(column));
  if (stateful.length === 0) return;
  report.warn(
    `Not used, although it seems to be about status, payment or an end: ${quoted(stateful.map((column) => survey.headings[column]!))}. ` +
      'To use a column, add --map "status=<heading>" or --map "paid=<heading>", or --map "groupsEndAt=<heading>".',
  );
}

/** Dates without a time mean days on the site, so its time zone is needed for them. */
export function noteMissingZone({ columns }: ListReading, report: ImportReport): void {
  if (columns.registeredAt === null && columns.groupsEndAt === null) return;
  report.warn(daysAreInUtc);
}

/** What to know about the rows of a list. */
export function noteRows({ escapedRows, endedRows, noted }: Survey, report: ImportReport): void {
  if (escapedRows > 0) {
    report.warn(
      `In ${counted(escapedRows, 'row')} a value begins with an apostrophe before a sign such as "=", which keeps ` +
        'spreadsheets from running it. The apostrophe is removed; to keep it, import with --raw.',
    );
  }
  if (endedRows > 0) {
    report.warn(`In ${counted(endedRows, 'row')} a membership has already ended. It is not created.`);
  }
  if (noted)
    report.warn(
      `${counted(noted.rows, 'row')} ${noted.rows === 1 ? 'is' : 'are'} imported without a value, such as row ${noted.line}: ${noted.text}`,
    );
}

export function noteScopes({ scopes }: MatchedGroups, report: ImportReport): void {
  if (scopes.length === 0) return;
  report.warn(
    `No members are added to ${quoted(scopes)}: the members of a scope group come from its source.`,
  );
}
