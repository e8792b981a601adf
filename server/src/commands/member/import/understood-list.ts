import type { AccessGroup, Gatehouse } from '@gatehouse/client';
import type { ProposedReading, TextEncoding } from '@gatehouse/member-lists';
import { type AnswerOptions, answersOf } from '../../lists/answers.ts';
import { parseMapping, requireEmailColumn } from '../../lists/column-mapping.ts';
import { type ListFile, openListFile } from '../../lists/list-file.ts';
import { findTimeZone } from '../site-time-zone.ts';
import type { Checkpoint } from './checkpoint.ts';
import { ColumnExamples } from './column-examples.ts';
import type { ImportReport } from './import-report.ts';
import { noteMissingZone, noteReading } from './notes.ts';
import {
  type DescribedList,
  offeredGroups,
  openQuestions,
  QuestionsOpen,
  questionText,
} from './open-questions.ts';
import { readingJson, readingText } from './reading-text.ts';
import { findSiteGroups } from './site-groups.ts';

export interface UnderstandingOptions extends AnswerOptions {
  readonly map?: readonly string[];
  readonly raw?: boolean;
  readonly encoding?: TextEncoding;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** A list with how it is read, and what of the site it was compared with. */
export interface UnderstoodList {
  readonly list: ListFile;
  readonly siteGroups: readonly AccessGroup[];
}

/**
 * Finds out how a list is read, and begins the report with it.
 * @throws {QuestionsOpen} if the list leaves something open that the options do not answer
 */
export async function understandList(
  path: string,
  options: UnderstandingOptions,
  gatehouse: Gatehouse,
  checkpoint: Checkpoint,
  report: ImportReport,
): Promise<UnderstoodList> {
  const mapping = parseMapping(options.map ?? []);
  const examples = new ColumnExamples();
  const { raw: isRaw = false, encoding } = options;
  const file = await openListFile(path, { isRaw, encoding, onRow: (row) => examples.add(row) });
  const { headings } = file.survey;
  const answers = answersOf(options, mapping, headings);
  const siteGroups = await findSiteGroups(gatehouse);
  const created = checkpoint.createdGroups(file.contentHash);
  const groupNames = new Set(siteGroups.map(({ name }) => name).filter((name) => !created.includes(name)));
  const timeZone = await findTimeZone(gatehouse);
  const proposed = file.survey.propose(answers, { timeZone: timeZone ?? 'UTC', groupNames });
  const { reading } = proposed;
  requireEmailColumn(reading, headings);
  report.describeReading(
    { encoding: file.encoding, reading: readingJson(file, reading) },
    readingText(file, reading),
  );
  const list = { ...file, reading, groupNames };
  noteReading(file, proposed, report);
  if (timeZone === undefined) noteMissingZone(reading, report);
  requireAnswers(proposed, { headings, reading, examples }, options, report);
  return { list, siteGroups };
}

function requireAnswers(
  { questions }: ProposedReading,
  list: DescribedList,
  { yes, json }: UnderstandingOptions,
  report: ImportReport,
): void {
  const offer = offeredGroups(questions, list);
  if (offer !== undefined) report.warn(offer);
  const open = openQuestions(questions, list);
  if (open.length === 0 || yes) return;
  if (!json) process.stderr.write(`${open.map(questionText).join('\n')}\n`);
  throw new QuestionsOpen(open);
}
