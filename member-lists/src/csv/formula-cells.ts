const operators = '=+\\-@＝＋－＠﹦﹢﹣﹫−';
/** Characters after which a program may start a new cell: some programs separate by semicolons, tabs or bars. */
const separators = ',;|\\t\\r\\n\\v\\f\\u0085\\u2028\\u2029';

/**
 * The beginning of a text that a spreadsheet may run as a formula (OWASP, CSV injection): an operator, also in
 * full-width or small form and after quotes and invisible characters, or a separator that is not visible.
 */
const formulaStart = new RegExp(
  `^(?:["\\s\\p{Cc}\\p{Cf}]*[${operators}]|[\\t\\r\\n\\v\\f\\u0085\\u2028\\u2029])`,
  'u',
);
const operator = new RegExp(`^[${operators}]`, 'u');
const separator = new RegExp(`[${separators}]`, 'gu');
const escapedSeparator = new RegExp(`([${separators}])'`, 'gu');
/** What may be before a formula in a text: separators, and what a program skips at the beginning of a cell. */
const gaps = new RegExp(`[${separators}'"\\s\\p{Cc}\\p{Cf}]+`, 'gu');

/**
 * Makes a text safe as a cell of a CSV file: an apostrophe before it, and within it after each separator, prevents
 * spreadsheets from running it as a formula. A text that already has apostrophes there gets one more, so that
 * `restoreCell` restores every text exactly.
 */
export function escapeCell(text: string): string {
  const inside = atFormulas(text, (gap) => gap.replace(separator, "$&'"));
  return mayBeFormula(inside) ? `'${inside}` : inside;
}

/** Reverses `escapeCell`. */
export function restoreCell(cell: string): string {
  if (!cell.includes("'")) return cell;
  const inside = cell.startsWith("'") && mayBeFormula(cell) ? cell.slice(1) : cell;
  return atFormulas(inside, (gap) => gap.replace(escapedSeparator, '$1'));
}

/** Whether a cell looks like the result of `escapeCell`. */
export function isEscaped(cell: string): boolean {
  return restoreCell(cell) !== cell;
}

function mayBeFormula(text: string): boolean {
  return formulaStart.test(text.replace(/^'+/, ''));
}

/** Changes what is before each operator, if a program could take that as the beginning of a cell. In linear time. */
function atFormulas(text: string, change: (gap: string) => string): string {
  return text.replace(gaps, (gap, offset: number) =>
    operator.test(text.slice(offset + gap.length, offset + gap.length + 1)) ? change(gap) : gap,
  );
}
