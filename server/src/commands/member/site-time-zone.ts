import { type Gatehouse, GatehouseError } from '@gatehouse/client';
import { isTimeZone } from '@gatehouse/contract/time-zones';

export const daysAreInUtc =
  'The time zone of the site is not known: the key may not read it (permission site:read), or it is newer than this ' +
  'version of Gatehouse. Dates without a time are days in UTC.';

/** The time zone of the site of a key; undefined if the key may not read the site, or if it is newer than Node. */
export async function findTimeZone({ site }: Gatehouse): Promise<string | undefined> {
  try {
    const { timeZone } = await site.get();
    return isTimeZone(timeZone) ? timeZone : undefined;
  } catch (error) {
    if (error instanceof GatehouseError && error.code === 'permission_denied') return undefined;
    throw error;
  }
}

/** The time zone in which to read days that were entered: UTC, with a note, if that of the site is not known. */
export async function timeZoneForDays(gatehouse: Gatehouse): Promise<string> {
  const known = await findTimeZone(gatehouse);
  if (known !== undefined) return known;
  process.stderr.write(`gatehouse: ${daysAreInUtc}\n`);
  return 'UTC';
}
