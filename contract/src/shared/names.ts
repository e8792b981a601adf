import { maxDisplayNameLength, maxNameLength } from './limits.ts';

/**
 * The characters that change the direction of text (Unicode Standard Annex 9, sections 2.1 to 2.3): embeddings,
 * overrides and isolates. With them a name is displayed differently from how it is stored.
 */
export const directionControls = /[\u202a-\u202e\u2066-\u2069]/;

/** The message for a name that contains one of them; part of the message of the error response. */
export const directionControlsMessage =
  'Remove the invisible characters that change the direction of text (U+202A to U+202E, U+2066 to U+2069).';

// They could be used to forge a header or a log line.
const controlCharacters = /[\p{Cc}\u2028\u2029]/u;

/** The number of code points, as JSON Schema and PostgreSQL count characters. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/**
 * Why a text cannot be a name: it has control characters, line breaks, characters that change the direction of text, or
 * too many code points. Undefined if the text is a valid name.
 */
export function nameProblem(text: string, maxLength: number): string | undefined {
  if (directionControls.test(text)) return directionControlsMessage;
  if (
    text.length > 2 * maxLength ||
    lengthOf(text) > maxLength ||
    controlCharacters.test(text) ||
    !text.isWellFormed()
  )
    return `Use a name of at most ${maxLength} characters on one line.`;
  return undefined;
}

/** Why a text cannot be a display name: over 200 code points, or characters that names cannot have. */
export function displayNameProblem(text: string | null): string | undefined {
  return nameProblem(text?.trim() ?? '', maxDisplayNameLength);
}

/** Trimmed; empty becomes null. Undefined if it is not a valid name: see `displayNameProblem`. */
export function normalizeDisplayName(text: string | null): string | null | undefined {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return null;
  return displayNameProblem(trimmed) === undefined ? trimmed : undefined;
}

/** The normalized name of an access group: trimmed and composed (NFC). Undefined if it is not a valid name. */
export function normalizeGroupName(text: string): string | undefined {
  const name = text.trim().normalize('NFC');
  return name !== '' && nameProblem(name, maxNameLength) === undefined ? name : undefined;
}
