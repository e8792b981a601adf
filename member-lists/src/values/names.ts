/** Names in these scripts are written with the family name first, and often without a space. */
const familyFirst = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}々ー・\s]+$/u;

/**
 * The name of a person from a full name, a first and a last name, any of them empty. A part that the full name has
 * already is not added again.
 */
export function nameOf(fullName: string, firstName: string, lastName: string): string {
  if (fullName === '') return joined(firstName, lastName);
  if (firstName !== '' && lastName !== '') return fullName;
  if (firstName !== '' && !hasPart(fullName, firstName)) return joined(firstName, fullName);
  return lastName === '' || hasPart(fullName, lastName) ? fullName : joined(fullName, lastName);
}

/** Whether a name has all words of a part, in any order. */
export function hasPart(name: string, part: string): boolean {
  const whole = simplifiedName(name);
  const wanted = wordsOf(simplifiedName(part));
  if (!wanted.every((word) => whole.includes(word))) return false;
  if (familyFirst.test(part)) return true;
  const words = new Set(wordsOf(whole));
  return wanted.every((word) => words.has(word));
}

function joined(firstName: string, lastName: string): string {
  const isFamilyFirst = familyFirst.test(firstName) && familyFirst.test(lastName);
  const parts = isFamilyFirst ? [lastName, firstName] : [firstName, lastName];
  return parts.filter((part) => part !== '').join(' ');
}

function simplifiedName(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll(/[’`´]/g, "'");
}

function wordsOf(name: string): string[] {
  return name.split(/[\s,.\-‐]+/).filter((word) => word !== '');
}
