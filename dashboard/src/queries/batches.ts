import { maxBulkMembers } from '@gatehouse/contract/limits';

/** Splits a list into batches that the API accepts. */
export function toBatches<Item>(items: readonly Item[], size = maxBulkMembers): Item[][] {
  const batches: Item[][] = [];
  for (let at = 0; at < items.length; at += size) batches.push(items.slice(at, at + size));
  return batches;
}
