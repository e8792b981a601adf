import type { Command } from 'commander';
import { type Timestamp, timestampAfter } from '../base/clock.ts';
import { parseDuration, parseTime } from './duration.ts';
import { WrongUsage } from './failure.ts';

export interface ExpiryOptions {
  readonly expiresIn?: number;
  readonly expiresAt?: Timestamp;
}

export function addExpiryOptions(command: Command): Command {
  return command
    .option('--expires-in <duration>', 'how long it is valid, such as 90d', parseDuration)
    .option('--expires-at <time>', 'the time at which it expires, such as 2027-01-31', parseTime);
}

/** When something that is created now expires; null for never. @throws {WrongUsage} */
export function expiryOf({ expiresIn, expiresAt }: ExpiryOptions): Timestamp | null {
  if (expiresIn !== undefined && expiresAt !== undefined) {
    throw new WrongUsage('Use either --expires-in or --expires-at.');
  }
  if (expiresIn === 0) throw new WrongUsage('Use a duration longer than 0 for --expires-in.');
  return expiresIn === undefined ? (expiresAt ?? null) : timestampAfter(new Date().toISOString(), expiresIn);
}

/** The sentence about the end of a new credential. */
export function describeExpiry(expiresAt: Timestamp | null): string {
  return expiresAt === null ? 'Does not expire.' : `Valid until ${expiresAt}.`;
}
