import type { MemberStatus } from '@gatehouse/client';

export const fields = ['email', 'name', 'lastName', 'paid', 'status', 'groups'] as const;
export type Field = (typeof fields)[number];

/** Which column holds what; null for none. */
export type Mapping = Readonly<Record<Field, number | null>>;

/** The names of columns that the command line knows, as `simplified` writes them; the first is the field's own. */
const names: Readonly<Record<Field, readonly string[]>> = {
  email: ['email', 'mail', 'emailaddress', 'mailaddress'],
  name: ['displayname', 'name', 'fullname', 'membername'],
  lastName: [],
  paid: ['paid', 'paying', 'ispaid', 'payingmember', 'payingcustomer'],
  status: ['status', 'memberstatus'],
  groups: ['groups', 'group', 'accessgroups', 'accessgroup'],
};

/** What else people call them, in the languages of the dashboard. */
const otherNames: Readonly<Record<Field, RegExp | null>> = {
  email: /^(e-?mail|mail|adresse|correo|courriel|メール)/i,
  name: /^(display ?name|name|full ?name|first ?name|vorname|pr[ée]nom|nombre|nom\b|名前|氏名)/i,
  lastName: /^(last ?name|surname|family ?name|nachname|nom de famille|apellidos?|姓)/i,
  paid: /^(paid|paying|bezahlt|zahlend|pay[ée]|pagado|pagando|有料)/i,
  status: null,
  groups: /^(gruppen?|zug(riff|ang)sgruppen?|groupes?|grupos?|グループ|アクセスグループ)$/i,
};

/** The columns of a file of failed rows. */
export const failureColumns = ['error_line', 'error_code', 'error_message'] as const;
/** The other columns of exports and of files of failed rows, which say nothing of a person. */
const ownColumns = new Set(
  [
    ...failureColumns,
    ...['id', 'verified', 'groupsEndAt', 'registeredAt', 'lastLoginAt', 'createdAt', 'neutralised'],
  ].map(simplified),
);

/** Finds the columns by their headings. */
export function findColumns(headings: readonly string[]): Mapping {
  const mapping: Record<Field, number | null> = {
    ...{ email: null, name: null, lastName: null, paid: null, status: null, groups: null },
  };
  const find = (matches: (heading: string) => boolean) => {
    const taken = new Set(Object.values(mapping));
    const column = headings.findIndex((heading, index) => !taken.has(index) && matches(heading.trim()));
    return column === -1 ? null : column;
  };
  // What is certain comes first, whatever stands to the left of it.
  for (const field of fields) {
    const [own, ...aliases] = names[field];
    mapping[field] =
      find((heading) => simplified(heading) === own) ??
      find((heading) => aliases.includes(simplified(heading)));
  }
  for (const field of fields) {
    mapping[field] ??= find((heading) => isOther(heading, field));
  }
  return mapping;
}

function isOther(heading: string, field: Field): boolean {
  return !ownColumns.has(simplified(heading)) && (otherNames[field]?.test(heading) ?? false);
}

/** The headings of the columns that hold something which members do not have. */
export function unknownColumns(headings: readonly string[], mapping: Mapping): string[] {
  const taken = new Set(Object.values(mapping));
  return headings
    .map((heading) => heading.trim())
    .filter(
      (heading, column) => heading !== '' && !taken.has(column) && !ownColumns.has(simplified(heading)),
    );
}

export function isFailureColumn(heading: string): boolean {
  return (failureColumns as readonly string[]).includes(heading.trim());
}

/** `E-Mail`, `e_mail` and `Email` are one heading. */
function simplified(heading: string): string {
  return heading
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\-_.]/g, '');
}

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

/** Names of groups in one cell, as exports have them: separated by `;`, with `\;` and `\\` for these two in a name. */
export function splitGroupNames(cell: string): string[] {
  const parts = cell.match(/(?:\\[\\;]|[^;])+/g) ?? [];
  const found = parts.map((part) =>
    part
      .replaceAll(/\\([\\;])/g, '$1')
      .trim()
      .normalize('NFC'),
  );
  return [...new Set(found)].filter((name) => name !== '');
}

/** Whether a group can have a name: 1 to 100 characters on one line. */
export function isGroupName(name: string): boolean {
  return [...name].length <= 100 && !/[\p{Cc}\u2028\u2029]/u.test(name) && name.isWellFormed();
}
