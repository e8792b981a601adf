/**
 * Folds case for searching and sorting: two texts that differ only in case fold to the same one (`É` and `é`,
 * `ß`, `ẞ` and `SS`), however their accents are composed, and a part of a text to a part of the folded text: the `ς` at
 * the end of a word is a `σ` within it.
 */
export function foldCase(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFC');
}

/** The number of code points, as JSON Schema and PostgreSQL count characters. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

const controlCharacters = /[\p{Cc}\u2028\u2029]/u;

/** Control characters and line breaks have no place in a name: a header or a log line could be forged with them. */
export function hasControlCharacters(text: string): boolean {
  return controlCharacters.test(text);
}
