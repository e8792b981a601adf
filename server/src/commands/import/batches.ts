import type { BulkMember } from '@gatehouse/client';
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
  rows: PersonRow[];
  bytes: number;
}

/**
 * Gathers rows with the same groups. The same rows always give the same batches in the same order, so that the number
 * of batches done says where an import stopped. Memory is bounded, however long the file and mixed its groups.
 */
export async function* toBatches(
  rows: AsyncIterable<PersonRow>,
  groupsOf: (row: PersonRow) => readonly string[],
): AsyncGenerator<Batch, void, undefined> {
  const gatherings = new Map<string, Gathering>();
  let waiting = 0;
  const release = (key: string): Batch => {
    const { groups, unusable, rows } = gatherings.get(key)!;
    gatherings.delete(key);
    waiting -= rows.length;
    return { groups, unusable, rows };
  };
  for await (const row of rows) {
    const unusable = row.problem !== undefined;
    const groups = unusable ? [] : groupsOf(row).toSorted();
    const key = JSON.stringify([unusable, groups]);
    const bytes = unusable ? 0 : Buffer.byteLength(JSON.stringify(toBulkMember(row)));
    if ((gatherings.get(key)?.bytes ?? 0) + bytes > mostBytes) yield release(key);
    const gathering = gatherings.get(key) ?? { groups, unusable, rows: [], bytes: 0 };
    gatherings.set(key, gathering);
    gathering.rows.push(row);
    gathering.bytes += bytes;
    waiting += 1;
    if (gathering.rows.length === mostMembers) yield release(key);
    else if (waiting > mostWaiting) yield release(fullest(gatherings));
  }
  for (const key of [...gatherings.keys()]) yield release(key);
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
