import { isTimeZone } from '@gatehouse/contract/time-zones';
import { invalidRequest } from '../api-error.ts';

/**
 * The name of a time zone, in the capitals of the IANA database. One of several names for a zone stays as it is: what
 * Node would write instead may be an outdated one. @throws {ApiError} `invalid_request` at `/timeZone`
 */
export function checkTimeZone(text: string): string {
  const name = text.trim();
  if (!isTimeZone(name)) {
    throw invalidRequest(
      '/timeZone',
      'timeZone must be a name in the IANA time zone database, such as Europe/Berlin.',
    );
  }
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
  return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name;
}
