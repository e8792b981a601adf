import { maxBulkMembers } from '@gatehouse/contract/limits';
import { toBulkMember } from '../reading/listed-values.ts';
import type { MemberDraft } from '../reading/member-draft.ts';
import { isUsed } from './repeated-rows.ts';

/** A request may have 1 MiB; the rest of the body and the group ids need only little of it. */
const maxBytes = 900_000;
const encoder = new TextEncoder();

/**
 * Splits a list into batches for one bulk request each, in the order of the list. The same list always yields the same
 * batches, so that the number of finished batches tells where an interrupted import continues.
 */
export async function* toBatches(
  drafts: AsyncIterable<MemberDraft> | Iterable<MemberDraft>,
): AsyncGenerator<MemberDraft[], void, undefined> {
  let batch: MemberDraft[] = [];
  let bytes = 0;
  for await (const draft of drafts) {
    const size = !isUsed(draft)
      ? 0
      : encoder.encode(JSON.stringify(toBulkMember(draft.address!, draft))).length;
    if (batch.length === maxBulkMembers || bytes + size > maxBytes) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(draft);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
