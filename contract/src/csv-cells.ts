/**
 * How a text begins that a spreadsheet may run as a formula (OWASP, CSV injection): a sign of calculation, also in its
 * wide or small form and behind characters that do not show, or a character after which a program may begin a new cell.
 */
const formulaStart = /^(?:[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫−]|[\t\r\n\v\f\u0085\u2028\u2029])/u;

/**
 * Makes a text safe as a cell of a CSV file: an apostrophe before it keeps spreadsheets from running it as a formula.
 * So that `restoreCell` gives every text back as it was, a text that has apostrophes in that place gets one more.
 */
export function neutraliseCell(text: string): string {
  return mayBeFormula(text) ? `'${text}` : text;
}

/** Takes back what `neutraliseCell` did. */
export function restoreCell(cell: string): string {
  return isNeutralised(cell) ? cell.slice(1) : cell;
}

/** Whether a cell begins as one that was neutralised. */
export function isNeutralised(cell: string): boolean {
  return cell.startsWith("'") && mayBeFormula(cell);
}

function mayBeFormula(text: string): boolean {
  return formulaStart.test(text.replace(/^'+/, ''));
}
