import type { Invitation } from '@gatehouse/client';
import { displayAddress } from '../../format/addresses/email-address.ts';

interface Named {
  readonly email: Invitation['email'];
  readonly note: Invitation['note'];
}

/**
 * What an invitation is called: its email address, or else its note.
 * @param everyone what one without both is called
 */
export function invitationName(everyone: string, { email, note }: Named): string {
  return email === null ? note || everyone : displayAddress(email);
}

/** What completes the name; undefined if nothing does. */
export function invitationHint(everyone: string, { email, note }: Named): string | undefined {
  if (note === '') return undefined;
  return email === null ? everyone : note;
}
