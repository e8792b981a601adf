/** Two exchanged letters are two edits. */
const maxEdits = 2;

/** The known name that a misspelt name most likely means; undefined if none is similar. */
export function findSimilarName(name: string, known: readonly string[]): string | undefined {
  return known
    .map((each) => ({ each, edits: countEdits(name, each) }))
    .filter(({ edits }) => edits <= maxEdits)
    .sort((a, b) => a.edits - b.edits)[0]?.each;
}

/** How many characters have to be inserted, deleted or replaced to get from one text to another (Levenshtein). */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, character] of [...from].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = row[column - 1]! + (character === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[column]! + 1, next[column - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
