/** The columns that a file of failed rows adds. */
export const failureColumns = ['error_line', 'error_code', 'error_message'] as const;
/** The other columns of exports and files of failed rows, which an import ignores. */
const otherColumns = new Set(
  [...failureColumns, 'id', 'verified', 'lastLoginAt', 'lastSeenAt'].map((heading) => simplified(heading)),
);
/** When a member was created here. Another system may mean the registration by `created_at`. */
const creationColumn = 'createdAt';
/** Headings that only exports of ours have, written like this. */
const ownColumns = [
  'displayName',
  'groupsEndAt',
  'registeredAt',
  'lastLoginAt',
  'lastSeenAt',
  creationColumn,
];
const minOwnColumns = 3;
/** A longer heading is a question of a form. */
const maxComparedLength = 200;

export function isFailureColumn(heading: string): boolean {
  return (failureColumns as readonly string[]).includes(heading.trim());
}

/** Whether a heading is one of our own exports that an import ignores. */
export function isIgnored(heading: string): boolean {
  return heading.trim() === creationColumn || otherColumns.has(simplified(heading));
}

/** Whether these are headings of an export of ours, or of its failed rows. */
export function isOwnExport(headings: readonly string[]): boolean {
  return (
    headings.includes('groups') &&
    ownColumns.filter((heading) => headings.includes(heading)).length >= minOwnColumns
  );
}

const secretHeadings = new Set(
  [
    'password',
    'passwd',
    'pwd',
    'passwort',
    'kennwort',
    'mot de passe',
    'contraseña',
    'パスワード',
    'user_pass',
    'password_hash',
    'hashed_password',
    'user_activation_key',
    'session_tokens',
    '_application_passwords',
  ].map(simplified),
);

/** Whether the cells below a heading are secrets, such as hashes of passwords. */
export function isSecret(heading: string): boolean {
  return secretHeadings.has(simplified(withoutRemark(heading)));
}

/** A heading without a remark such as ` [Required]` at its end. */
export function withoutRemark(heading: string): string {
  const at = heading.trimEnd().endsWith(']') ? heading.lastIndexOf(' [') : -1;
  return at > 0 ? heading.slice(0, at) : heading;
}

/** The normalized form of a heading: `E-Mail`, `e_mail` and `Email` are the same. */
export function simplified(heading: string): string {
  return heading
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\p{Cc}\p{Cf}\-_.]/gu, '');
}

/**
 * The form in which a heading is compared with known ones: `Prénom`, `prenom *` and `PRENOM (obligatoire)` are the same.
 * Dots and stars, accents of Latin letters, and what stands in brackets do not matter.
 */
export function headingKey(heading: string): string {
  const text = heading
    .slice(0, maxComparedLength)
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase();
  const key = (part: string) =>
    part
      .replaceAll('ß', 'ss')
      .normalize('NFKC')
      .replaceAll(/[^\p{L}\p{N}]/gu, '');
  return key(text.replaceAll(/[([{][^)\]}]*[)\]}]/g, '')) || key(text);
}

/** Headings that are all different: an empty one gets a name, and a repeated one a number. */
export function distinctHeadings(
  headings: readonly string[],
  maxLength = Number.POSITIVE_INFINITY,
): string[] {
  const taken = new Set<string>();
  return headings.map((heading, index) => {
    const name = heading === '' ? columnName(index) : heading.slice(0, maxLength);
    let key = name;
    for (let number = 2; taken.has(key); number += 1) key = `${name} (${number})`;
    taken.add(key);
    return key;
  });
}

/** The heading of a column without one. */
export function columnName(index: number): string {
  return `Column ${index + 1}`;
}
