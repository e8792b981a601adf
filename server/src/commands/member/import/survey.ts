import { normalizeGroupName } from '@gatehouse/contract/names';
import { foldWord, isUsed, type MemberDraft, RepeatedRows, restoreCell } from '@gatehouse/member-lists';
import { CommandFailure, WrongUsage } from '../../../app/failure.ts';
import { type ListFile, readDrafts } from '../../lists/list-file.ts';
import { reasonText } from './reason-text.ts';

/** Group names are stored in memory. A column with more names than this is probably not a column of groups. */
const maxGroups = 10_000;

/** Facts about all rows, collected before anything is sent. */
export interface Survey {
  readonly rows: number;
  readonly groupNames: ReadonlySet<string>;
  /** Rows with an apostrophe that is removed. */
  readonly escapedRows: number;
  /** Rows with a membership that has already ended. */
  readonly endedRows: number;
  readonly repeated: RepeatedRows;
  /** Rows of which a value is not used, with the first of them; undefined if there are none. */
  readonly noted: NotedRows | undefined;
}

interface NotedRows {
  readonly rows: number;
  readonly line: number;
  readonly text: string;
}

/**
 * @param paidValues that someone has chosen
 * @throws {CommandFailure} when the file is not valid CSV, or has none of a value
 */
export async function surveyList(
  file: ListFile,
  groupsOfAll: readonly string[],
  paidValues: readonly string[] = [],
): Promise<Survey> {
  const groupNames = new Set(groupsOfAll);
  const now = file.now.toISOString();
  const hasEnded = ({ groups }: MemberDraft) =>
    groups.some(({ expiresAt }) => expiresAt !== null && expiresAt <= now);
  const repeated = new RepeatedRows();
  let [rows, escapedRows, endedRows] = [0, 0, 0];
  let noted: NotedRows | undefined;
  const missing = new Map(paidValues.map((value) => [foldWord(value), value]));
  const paidColumn = requirePaidColumn(file, paidValues);
  for await (const draft of readDrafts(file)) {
    rows += 1;
    if (missing.size > 0) missing.delete(foldWord(restoreCell(draft.cells[paidColumn] ?? '')));
    if (draft.wasEscaped) escapedRows += 1;
    if (!isUsed(draft)) continue;
    repeated.add(draft);
    const [note] = draft.notes;
    if (note)
      noted = { line: draft.line, text: reasonText(note, draft), ...noted, rows: (noted?.rows ?? 0) + 1 };
    if (hasEnded(draft)) endedRows += 1;
    for (const { name } of draft.groups) {
      if (!groupNames.has(name)) requireGroupName(name, draft);
      groupNames.add(name);
    }
    if (groupNames.size > maxGroups) {
      throw new CommandFailure(
        'too_many_groups',
        `The column of groups has more than ${maxGroups} different names. Choose another column with --map "groups=<heading>".`,
      );
    }
  }
  requireFound(missing.values(), file.survey.headings[paidColumn]);
  if (repeated.areFound) for await (const draft of readDrafts(file)) repeated.collect(draft);
  return { rows, groupNames, escapedRows, endedRows, repeated, noted };
}

function requireGroupName(name: string, { line }: MemberDraft): void {
  if (normalizeGroupName(name) === name) return;
  throw new CommandFailure(
    'invalid_group_name',
    `Row ${line} names the group ${JSON.stringify(name.slice(0, 120).toWellFormed())}, and a name of a group has 1 to 100 characters on one line. Correct the cell, or say what separates groups with --group-separator.`,
  );
}

function requirePaidColumn({ reading }: ListFile, paidValues: readonly string[]): number {
  const { paid } = reading.columns;
  if (paid === null && paidValues.length > 0)
    throw new WrongUsage('--paid-value requires the column. Add --map "paid=<heading>".');
  return paid ?? -1;
}

/** A value that is written wrong would make everyone not paying. */
function requireFound(missing: Iterable<string>, heading: string | undefined): void {
  const [value] = missing;
  if (value === undefined) return;
  throw new CommandFailure(
    'no_such_value',
    `No cell of the column "${heading}" is "${value}". Correct --paid-value.`,
  );
}
