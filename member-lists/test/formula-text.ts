import fc from 'fast-check';

const formulaStart = fc.constantFrom(
  '',
  '=',
  '+',
  '-',
  '@',
  '＝',
  '\u200b=',
  "'",
  "'=",
  "''=",
  "' =",
  '"',
  ';',
  ',',
  '\\',
  '\uFEFF',
);

/** Any short text, often with a start that a spreadsheet reads as a formula, or that means something in CSV. */
export function formulaText(limits: { readonly minLength?: number; readonly maxLength: number }) {
  return fc
    .tuple(formulaStart, fc.string({ unit: 'grapheme', ...limits }))
    .map(([start, rest]) => start + rest);
}
