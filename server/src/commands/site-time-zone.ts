import { type Gatehouse, GatehouseError } from '@gatehouse/client';

export const daysAreInUtc =
  'The key may not read the time zone of the site (permission site:read). Dates without a time are days in UTC.';

/** The time zone of the site of a key; undefined if the key may not read the site. */
export async function findTimeZone({ site }: Gatehouse): Promise<string | undefined> {
  try {
    return (await site.get()).timeZone;
  } catch (error) {
    if (error instanceof GatehouseError && error.code === 'permission_denied') return undefined;
    throw error;
  }
}

/** The time zone in which to read days that were entered: UTC, with a note, if the key may not read the site. */
export async function timeZoneForDays(gatehouse: Gatehouse): Promise<string> {
  const known = await findTimeZone(gatehouse);
  if (known !== undefined) return known;
  process.stderr.write(`gatehouse: ${daysAreInUtc}\n`);
  return 'UTC';
}
