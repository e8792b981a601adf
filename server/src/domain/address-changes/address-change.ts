import { type Timestamp, timestampAfter } from '../../base/clock.ts';

export const addressCodeMinutes = 15;
export const maxAddressCodeTries = 5;
export const reversalDays = 7;

/** A new address that a member has entered in a session, and that a code confirms there. */
export interface AddressChange {
  readonly sessionId: string;
  readonly memberId: string;
  readonly email: string;
  /** That of no code if the email with the code was not sent. */
  readonly codeHash: string;
  readonly tries: number;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
}

/** A change that was made, which a link in an email to the former address takes back. */
export interface AddressReversal {
  readonly id: string;
  readonly memberId: string;
  readonly oldEmail: string;
  readonly newEmail: string;
  readonly changedAt: Timestamp;
  readonly expiresAt: Timestamp;
}

export function addressCodeEnd(now: Timestamp): Timestamp {
  return timestampAfter(now, addressCodeMinutes * 60_000);
}

export function reversalEnd(now: Timestamp): Timestamp {
  return timestampAfter(now, reversalDays * 24 * 60 * 60_000);
}
