import type { Member } from '@gatehouse/client';
import { displayAddress } from '../../format/addresses/email-address.ts';

/** The texts of a member in which a search finds something. */
export type FoundMember = Pick<Member, 'email' | 'displayName'>;

/**
 * The members in the order in which the text names them: by the whole email address or all of it before the `@`, by whole
 * words of the name, by its beginning, and all others. Equal ones stay in the order of the API.
 */
export function bestMatchesFirst<Found extends FoundMember>(
  members: readonly Found[],
  typed: string,
): Found[] {
  const text = fold(typed.trim());
  if (text === '') return [...members];
  return members
    .map((member) => ({ member, match: matchOf(member, text) }))
    .sort((one, other) => one.match - other.match)
    .map(({ member }) => member);
}

/** Whether the text is the email address of the member, or all of it before the `@`. */
function isNamedByEmail({ email }: FoundMember, text: string): boolean {
  const addresses = [fold(email), fold(displayAddress(email))];
  return addresses.includes(text) || addresses[0]!.slice(0, addresses[0]!.lastIndexOf('@')) === text;
}

function matchOf(member: FoundMember, text: string): number {
  if (isNamedByEmail(member, text)) return 0;
  const words = wordsOf(text);
  if (words !== '  ' && wordsOf(fold(member.displayName ?? '')).includes(words)) return 1;
  // Without a name, the email address is shown in its place.
  return fold(member.displayName ?? member.email).startsWith(text) ? 2 : 3;
}

/** Separated and surrounded by single spaces, so that whole words are found in it. */
function wordsOf(text: string): string {
  return ` ${text.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim()} `;
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
