import type { Gatehouse } from '@gatehouse/client';
import { inLots } from '../../parts/lots.ts';
import type { Person } from './people.ts';

/** What became of somebody. */
export interface Result {
  readonly person: Person;
  readonly status: 'created' | 'conflict' | 'error';
  /** Why, in the words of the service; null for those who were added. */
  readonly reason: { code: string; message: string } | null;
}

/** An import that can be taken up again where it stopped: a lot that is sent twice is done once. */
export interface Import {
  readonly lots: readonly Lot[];
  readonly accessGroupIds: readonly string[];
  /** How many rows are not sent, as they give somebody twice. */
  readonly leftOut: number;
}

interface Lot {
  readonly people: readonly Person[];
  readonly idempotencyKey: string;
}

export function newImport(
  people: readonly Person[],
  accessGroupIds: readonly string[],
  leftOut: number,
): Import {
  const lots = inLots(people).map((some) => ({ people: some, idempotencyKey: crypto.randomUUID() }));
  return { lots, accessGroupIds, leftOut };
}

/**
 * Sends one lot of an import.
 * @throws GatehouseError when it could not be sent; sent again it doubles nothing
 */
export async function sendLot(
  gatehouse: Gatehouse,
  { lots, accessGroupIds }: Import,
  index: number,
  signal: AbortSignal,
): Promise<Result[]> {
  const { people, idempotencyKey } = lots[index]!;
  const members = people.map(({ email, displayName, paid }) => ({ email, displayName, paid }));
  const { data } = await gatehouse.members.bulkCreate(
    { members, accessGroupIds: [...accessGroupIds] },
    { idempotencyKey, signal },
  );
  return data.map((item, place) => ({
    person: people[place]!,
    status: item.status,
    reason: item.status === 'created' ? null : item.error,
  }));
}
