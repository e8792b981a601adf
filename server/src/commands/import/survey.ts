import { isUsed, type MemberDraft, RepeatedRows } from '@gatehouse/member-lists';
import { CommandFailure } from '../failure.ts';
import { type ListFile, readDrafts } from '../list-file.ts';
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

/** @throws {CommandFailure} when the file is not valid CSV */
export async function surveyList(file: ListFile, groupsOfAll: readonly string[]): Promise<Survey> {
  const groupNames = new Set(groupsOfAll);
  const now = file.now.toISOString();
  const hasEnded = ({ groups }: MemberDraft) =>
    groups.some(({ expiresAt }) => expiresAt !== null && expiresAt <= now);
  const repeated = new RepeatedRows();
  let [rows, escapedRows, endedRows] = [0, 0, 0];
  let noted: NotedRows | undefined;
  for await (const draft of readDrafts(file)) {
    rows += 1;
    if (draft.wasEscaped) escapedRows += 1;
    if (!isUsed(draft)) continue;
    repeated.add(draft);
    const [note] = draft.notes;
    if (note)
      noted = { line: draft.line, text: reasonText(note, draft), ...noted, rows: (noted?.rows ?? 0) + 1 };
    if (hasEnded(draft)) endedRows += 1;
    for (const { name } of draft.groups) groupNames.add(name);
    if (groupNames.size > maxGroups) {
      throw new CommandFailure(
        'too_many_groups',
        `The column of groups has more than ${maxGroups} different names. Choose another column with --map "groups=<heading>".`,
      );
    }
  }
  if (repeated.areFound) for await (const draft of readDrafts(file)) repeated.collect(draft);
  return { rows, groupNames, escapedRows, endedRows, repeated, noted };
}
