const marks = new Set([
  ...['1', '0', 'x', '✓', '✔', '✗', '✘', '-', '–', 'true', 'false', 'yes', 'no', 'y', 'n', 'on', 'off'],
  ...[
    'wahr',
    'falsch',
    'ja',
    'nein',
    'j',
    'vrai',
    'faux',
    'oui',
    'non',
    'o',
    'verdadero',
    'falso',
    'si',
    'sí',
  ],
  ...['はい', 'いいえ', '真', '偽', '○', '〇', '×', '✕'],
]);

/** Whether a cell only says yes or no, whatever its column is about. */
export function isMark(cell: string): boolean {
  return marks.has(cell.trim().toLowerCase());
}
