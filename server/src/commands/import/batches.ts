import type { BulkMember } from '@gatehouse/client';
import { normalizeEmail } from '../../members/email.ts';
import type { PersonRow } from '../people-file/people-file.ts';

const mostMembers = 500;
/** A request may have 1 MiB; its frame and the ids of its groups need little of it. */
const mostBytes = 900_000;
/** Rows that wait for others with the same groups. */
const mostWaiting = 10_000;

/** Rows that are sent together: a bulk request adds all its members to the same groups. */
export interface Batch {
  /** Names, in alphabetical order. */
  readonly groups: readonly string[];
  readonly rows: readonly PersonRow[];
  /** Rows that cannot be sent at all have batches of their own. */
  readonly unusable: boolean;
}

interface Gathering {
  readonly groups: readonly string[];
  readonly unusable: boolean;
  /** How many gatherings are sent before it, as they have earlier rows with addresses of its rows. */
  readonly rank: number;
  rows: PersonRow[];
  addresses: string[];
  bytes: number;
}

/**
 * Gathers rows with the same groups. The same rows always give the same batches in the same order, so that the number
 * of batches done says where an import stopped. Of rows with the same address the earlier is in an earlier batch, or
 * earlier in the same: the first in the file is the one that counts. Memory is bounded, however long the file and mixed
 * its groups.
 */
export async function* toBatches(
  rows: AsyncIterable<PersonRow>,
  groupsOf: (row: PersonRow) => readonly string[],
): AsyncGenerator<Batch, void, undefined> {
  const gatherings = new Map<string, Gathering>();
  /** The last gathering in which a row with the address waits. */
  const lastOf = new Map<string, string>();
  let waiting = 0;
  const release = (key: string): Batch => {
    const { groups, unusable, rows, addresses } = gatherings.get(key)!;
    gatherings.delete(key);
    waiting -= rows.length;
    for (const address of addresses) if (lastOf.get(address) === key) lastOf.delete(address);
    return { groups, unusable, rows };
  };
  const releaseUpTo = function* (key: string) {
    const { rank } = gatherings.get(key)!;
    const earlier = [...gatherings].filter(([, gathering]) => gathering.rank < rank);
    for (const [each] of earlier.sort(([, a], [, b]) => a.rank - b.rank)) yield release(each);
    yield release(key);
  };
  for await (const row of rows) {
    const unusable = row.problem !== undefined;
    const groups = unusable ? [] : groupsOf(row).toSorted();
    const bytes = unusable ? 0 : Buffer.byteLength(JSON.stringify(toBulkMember(row)));
    const address = unusable ? null : normalizeEmail(row.email);
    const rank = rankOf(groups, address === null ? undefined : gatherings.get(lastOf.get(address) ?? ''));
    const key = JSON.stringify([rank, unusable, groups]);
    if ((gatherings.get(key)?.bytes ?? 0) + bytes > mostBytes) yield* releaseUpTo(key);
    const gathering = gatherings.get(key) ?? { groups, unusable, rank, rows: [], addresses: [], bytes: 0 };
    gatherings.set(key, gathering);
    gathering.rows.push(row);
    gathering.bytes += bytes;
    if (address !== null) {
      gathering.addresses.push(address);
      lastOf.set(address, key);
    }
    waiting += 1;
    if (gathering.rows.length === mostMembers) yield* releaseUpTo(key);
    else if (waiting > mostWaiting) yield* releaseUpTo(fullest(gatherings));
  }
  while (gatherings.size > 0) yield* releaseUpTo(lowest(gatherings));
}

/** A row joins the gathering where the one before with its address waits, or has to come after it. */
function rankOf(groups: readonly string[], before: Gathering | undefined): number {
  if (before === undefined) return 0;
  return before.groups.join('\n') === groups.join('\n') ? before.rank : before.rank + 1;
}

export function toBulkMember({ email, displayName, paid }: PersonRow): BulkMember {
  return {
    email,
    ...(displayName === undefined ? {} : { displayName }),
    ...(paid === undefined ? {} : { paid }),
  };
}

function fullest(gatherings: ReadonlyMap<string, Gathering>): string {
  let [most, found] = [0, ''];
  for (const [key, { rows }] of gatherings) if (rows.length > most) [most, found] = [rows.length, key];
  return found;
}

function lowest(gatherings: ReadonlyMap<string, Gathering>): string {
  const [[first]] = [...gatherings].sort(([, a], [, b]) => a.rank - b.rank) as [[string, Gathering]];
  return first;
}
