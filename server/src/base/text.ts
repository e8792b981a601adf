export { foldCase } from '@gatehouse/contract/rule-paths';

/** The number of code points, as JSON Schema and PostgreSQL count characters. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

const controlCharacters = /[\p{Cc}\u2028\u2029]/u;

/** Control characters and line breaks have no place in a name: a header or a log line could be forged with them. */
export function hasControlCharacters(text: string): boolean {
  return controlCharacters.test(text);
}
