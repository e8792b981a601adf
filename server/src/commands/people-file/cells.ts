import type { MemberStatus } from '@gatehouse/contract';

/** What people and spreadsheets write for "yes" or "paying", in the languages of the dashboard. */
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

/** Undefined for what means neither. */
export function parsePaid(cell: string): boolean | undefined {
  if (yes.test(cell.trim())) return true;
  return no.test(cell.trim()) ? false : undefined;
}

export function parseStatus(cell: string): MemberStatus | undefined {
  const word = cell.trim().toLowerCase();
  return word === 'active' || word === 'blocked' ? word : undefined;
}

/** Names of groups in one cell, separated by `;`. Within a name `;` is written `\;` and `\` is written `\\`. */
export function joinGroupNames(names: readonly string[]): string {
  return names.map((name) => name.replaceAll(/[\\;]/g, '\\$&')).join(';');
}

export function splitGroupNames(cell: string): string[] {
  const parts = cell.match(/(?:\\[\\;]|[^;])+/g) ?? [];
  const names = parts.map((part) =>
    part
      .replaceAll(/\\([\\;])/g, '$1')
      .trim()
      .normalize('NFC'),
  );
  return [...new Set(names)].filter((name) => name !== '');
}
