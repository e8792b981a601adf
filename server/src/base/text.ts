import { directionControls, directionControlsMessage } from '@gatehouse/contract';
import { invalidRequest } from './refusal.ts';

export { foldCase } from '@gatehouse/contract/rule-paths';

/** The number of code points, as JSON Schema and PostgreSQL count characters. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

const controlCharacters = /[\p{Cc}\u2028\u2029]/u;

/** Control characters and line breaks have no place in a name: a header or a log line could be forged with them. */
function hasControlCharacters(text: string): boolean {
  return controlCharacters.test(text);
}

/**
 * Why a text cannot be a name: it has control characters, line breaks, characters that change the direction of text, or
 * more than the given number of code points. Undefined where it can.
 */
export function nameProblem(text: string, maxLength: number): string | undefined {
  if (directionControls.test(text)) return directionControlsMessage;
  if (
    text.length > 2 * maxLength ||
    lengthOf(text) > maxLength ||
    hasControlCharacters(text) ||
    !text.isWellFormed()
  )
    return `Give a name of at most ${maxLength} characters on one line.`;
  return undefined;
}

/** A name of 1 to 100 code points on one line. @throws Refusal `invalid_request` for the field of that name */
export function checkName(field: string, text: string, maxLength = 100): string {
  if (directionControls.test(text))
    throw invalidRequest(`/${field}`, `${field}: ${directionControlsMessage}`);
  if (text !== '' && nameProblem(text, maxLength) === undefined) return text;
  throw invalidRequest(`/${field}`, `${field} takes 1 to ${maxLength} characters on one line.`);
}
