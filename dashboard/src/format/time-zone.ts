import { isTimeZone } from '@gatehouse/contract/time-zones';

/** The time zone of the browser, as a name of the IANA database. */
export function browserTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** A time zone; UTC if it is newer than the browser, which then does not know it. */
export function knownTimeZone(name: string): string {
  return isTimeZone(name) ? name : 'UTC';
}
