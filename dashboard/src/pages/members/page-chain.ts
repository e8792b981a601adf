export const pageSize = 100;

/** Where each page of a list begins, as far as it was seen. */
export interface Chain {
  /** For each page, the cursor that it comes behind; the first comes behind none. */
  readonly cursors: readonly (string | undefined)[];
  /** How many items there are; null before the end was seen. */
  readonly total: number | null;
}

export const beginning: Chain = { cursors: [undefined], total: null };

/** Takes in what a page says about the one behind it. Once that is another one than before, what came behind is forgotten. */
export function learn(
  chain: Chain,
  index: number,
  page: { data: readonly unknown[]; pagination: { nextCursor: string | null } },
): Chain {
  const { cursors, total } = chain;
  if (index >= cursors.length) return chain;
  const upToHere = cursors.slice(0, index + 1);
  const { nextCursor } = page.pagination;
  if (nextCursor !== null) {
    return cursors[index + 1] === nextCursor ? chain : { cursors: [...upToHere, nextCursor], total: null };
  }
  const seen = index * pageSize + page.data.length;
  return total === seen && upToHere.length === cursors.length ? chain : { cursors: upToHere, total: seen };
}
