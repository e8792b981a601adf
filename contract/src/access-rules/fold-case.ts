/**
 * Folds case for searching and sorting: texts that differ only in case (`É` and `é`, `ß`, `ẞ` and `SS`) or in the
 * composition of accents fold to the same text. A part of a text folds to a part of the folded text; therefore the
 * final `ς` of a word becomes `σ`.
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
