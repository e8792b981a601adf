import { displayAddress } from '../../../format/addresses/email-address.ts';

interface Person {
  readonly displayName: string | null;
  readonly email: string;
}

/** The name that a person has entered, or else the email address. */
export function nameOf({ displayName, email }: Person): string {
  return displayName ?? displayAddress(email);
}
