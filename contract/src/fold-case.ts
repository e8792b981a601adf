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
