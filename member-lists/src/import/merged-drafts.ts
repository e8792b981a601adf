import { inTurns } from '../csv/next-turn.ts';
import type { ListReading } from '../reading/list-reading.ts';
import { type MemberDraft, type RowContext, readDraft } from '../reading/member-draft.ts';
import type { MemberList } from '../reading/member-list.ts';
import { mergeRepeated, RepeatedRows } from './repeated-rows.ts';

/**
 * The members in the rows of a list, those of one person merged. Other work gets its turn in between.
 * @throws the reason of the signal
 */
export async function mergedDrafts(
  { rows, hasHeadings }: MemberList,
  reading: ListReading,
  context: Omit<RowContext, 'headingCount'>,
  signal?: AbortSignal,
): Promise<MemberDraft[]> {
  const each = { ...context, headingCount: hasHeadings ? rows[0]?.cells.length : undefined };
  const repeated = new RepeatedRows();
  const drafts: MemberDraft[] = [];
  for await (const row of inTurns(hasHeadings ? rows.slice(1) : rows)) {
    signal?.throwIfAborted();
    const draft = readDraft(row, reading, each);
    repeated.add(draft);
    drafts.push(draft);
  }
  return repeated.areFound ? mergeRepeated(drafts) : drafts;
}
