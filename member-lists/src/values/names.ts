/**
 * The name of a person from a full name, a first and a last name, any of them empty. A part that the full name has
 * already is not added again.
 */
export function nameOf(fullName: string, firstName: string, lastName: string): string {
  if (fullName === '') return [firstName, lastName].filter((part) => part !== '').join(' ');
  if (firstName !== '' && lastName !== '') return fullName;
  if (firstName !== '' && !hasWords(fullName, firstName)) return `${firstName} ${fullName}`;
  return lastName === '' || hasWords(fullName, lastName) ? fullName : `${fullName} ${lastName}`;
}

/** Whether all words of a part are words of a name. */
function hasWords(name: string, part: string): boolean {
  const words = new Set(wordsOf(name));
  return wordsOf(part).every((word) => words.has(word));
}

function wordsOf(text: string): string[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== '');
}
