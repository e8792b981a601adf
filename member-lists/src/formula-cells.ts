/**
 * The beginning of a text that a spreadsheet may run as a formula (OWASP, CSV injection): an operator, also in
 * full-width or small form and after invisible characters, or a character after which a program may start a new cell.
 */
const formulaStart = /^(?:[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫−]|[\t\r\n\v\f\u0085\u2028\u2029])/u;

/**
 * Makes a text safe as a cell of a CSV file: a leading apostrophe prevents spreadsheets from running it as a formula. A
 * text that already starts with apostrophes gets one more, so that `restoreCell` restores every text exactly.
 */
export function escapeCell(text: string): string {
  return mayBeFormula(text) ? `'${text}` : text;
}

/** Reverses `escapeCell`. */
export function restoreCell(cell: string): string {
  return isEscaped(cell) ? cell.slice(1) : cell;
}

/** Whether a cell looks like the result of `escapeCell`. */
export function isEscaped(cell: string): boolean {
  return cell.startsWith("'") && mayBeFormula(cell);
}

function mayBeFormula(text: string): boolean {
  return formulaStart.test(text.replace(/^'+/, ''));
}
