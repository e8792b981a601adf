/** The words and signs for yes and for no, whatever a column is about, in the languages of the dashboard. */
export const yesMarks = '1|x|✓|✔|true|yes|y|on|wahr|ja|j|vrai|oui|o|verdadero|s[ií]|はい|真|○|〇';
export const noMarks = '0|-|–|✗|✘|false|no|n|off|falsch|nein|faux|non|falso|いいえ|偽|×|✕';

const marks = new RegExp(`^(?:${yesMarks}|${noMarks})$`, 'i');

/** Whether a cell only says yes or no. */
export function isMark(cell: string): boolean {
  return marks.test(cell.trim());
}
