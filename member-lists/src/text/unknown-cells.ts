/** What spreadsheets show in a cell whose value they cannot compute, or have not computed yet. */
const unknown = new Set(
  ['#REF!', '#N/A', '#NAME?', '#VALUE!', '#DIV/0!', '#NUM!', '#NULL!', '#ERROR!', 'Loading...'].map((text) =>
    text.toLowerCase(),
  ),
);

/** Whether a cell says that its value is not known: such a cell is neither a value nor empty. */
export function isUnknownCell(cell: string): boolean {
  return unknown.has(cell.trim().toLowerCase());
}
