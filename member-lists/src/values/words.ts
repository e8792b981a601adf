/** The words for "yes" or "paying" that people and spreadsheets use, in the languages of the dashboard. */
const yes = oneOf(
  '1|x|✓|✔|true|yes|y|paid|paying',
  'wahr|ja|j|bezahlt|zahlend|zahlt',
  'vrai|oui|o|pay[ée]e?|payante?',
  'verdadero|s[ií]|pagad[oa]|pagando|de pago',
  'はい|有料|真|○|〇|支払済み?|支払い済み',
);
const no = oneOf(
  '0|-|–|✗|✘|false|no|n|not paid|not paying|unpaid|free',
  'falsch|nein|nicht bezahlt|unbezahlt|nicht zahlend|zahlt nicht',
  'faux|non|non pay[ée]e?|non payante?|gratuite?',
  'falso|no pagad[oa]|sin pagar|gratis',
  'いいえ|無料|偽|×|✕|未払い?',
);

function oneOf(...words: string[]): RegExp {
  return new RegExp(`^(?:${words.join('|')})$`, 'i');
}

/** Undefined if the cell means neither yes nor no. */
export function parsePaid(cell: string): boolean | undefined {
  if (yes.test(cell.trim())) return true;
  return no.test(cell.trim()) ? false : undefined;
}
