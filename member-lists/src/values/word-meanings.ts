/** What a word in the column of states means for a member; `leftOut`: the row is not imported. */
export const statusMeanings = ['active', 'blocked', 'leftOut'] as const;

export type StatusMeaning = (typeof statusMeanings)[number];

/** The form in which words are compared. Line breaks and invisible characters do not matter. */
export function foldWord(word: string): string {
  return word
    .normalize('NFKC')
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .toLowerCase();
}

/** The meaning of a word; that of `*` if it has none of its own. */
export function meaningOf<Meaning>(
  words: Readonly<Record<string, Meaning>>,
  cell: string,
): Meaning | undefined {
  const word = foldWord(cell);
  if (Object.hasOwn(words, word)) return words[word];
  return word !== '' && Object.hasOwn(words, '*') ? words['*'] : undefined;
}
