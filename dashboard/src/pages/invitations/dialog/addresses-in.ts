import { readText } from '../../add/pasted-text.ts';

/** The email addresses in any text, each once. What was probably meant as one is left to the service to reject. */
export function addressesIn(text: string): string[] {
  return [...new Set(readText(text).map(({ address, email }) => address ?? email))];
}
