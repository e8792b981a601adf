import { type BulkResultItem, type Gatehouse, GatehouseError } from '@gatehouse/client';
import { normalizeEmail } from '../../members/email.ts';
import type { PersonRow } from '../people-file/people-file.ts';
import { type Batch, toBulkMember } from './batches.ts';
import { differencesOf } from './known-member.ts';
import type { KnownMembers } from './known-members.ts';
import { differs, invalid, type Outcome, type Performer } from './outcome.ts';

const requestsAtOnce = 8;

/** Sends batches to the service. To send one again, after a crash for example, does nothing twice. */
export class Importer implements Performer {
  readonly #gatehouse: Gatehouse;
  readonly #known: KnownMembers;
  readonly #groupIds: ReadonlyMap<string, string>;
  readonly #idempotencyKeyOf: (number: number) => string;

  constructor(
    gatehouse: Gatehouse,
    known: KnownMembers,
    groupIds: ReadonlyMap<string, string>,
    idempotencyKeyOf: (number: number) => string,
  ) {
    this.#gatehouse = gatehouse;
    this.#known = known;
    this.#groupIds = groupIds;
    this.#idempotencyKeyOf = idempotencyKeyOf;
  }

  async perform({ groups, rows }: Batch, number: number): Promise<Outcome[]> {
    const groupIds = groups.map((name) => this.#groupIds.get(name)!);
    const { data } = await this.#gatehouse.members.bulkCreate(
      { members: rows.map(toBulkMember), ...(groupIds.length === 0 ? {} : { accessGroupIds: groupIds }) },
      { idempotencyKey: this.#idempotencyKeyOf(number) },
    );
    const outcomes: (Outcome | undefined)[] = [];
    // New members are complete before a later row with the same address is compared with one of them, and rows with the
    // same address come one after the other: the first counts.
    await forEachAtOnce(rows.keys(), async (place) => {
      outcomes[place] = await this.#complete(rows[place]!, data[place]!);
    });
    const existing = [...rows.keys()].filter((place) => outcomes[place] === undefined);
    const byAddress = Map.groupBy(existing, (place) => normalizeEmail(rows[place]!.email));
    await forEachAtOnce(byAddress.values(), async (places) => {
      for (const place of places) outcomes[place] = await this.#meetExisting(rows[place]!, groupIds);
    });
    return outcomes as Outcome[];
  }

  /** Does what a bulk request cannot: block a new member. Undefined for a row whose member exists already. */
  async #complete(row: PersonRow, item: BulkResultItem): Promise<Outcome | undefined> {
    if (item.status === 'error') return invalid(item.error.code, item.error.message);
    if (item.status !== 'created') return undefined;
    if (row.status === 'blocked') await this.#gatehouse.members.update(item.member.id, { status: 'blocked' });
    return { kind: 'created' };
  }

  /** Adds an existing member to the groups of its row. */
  async #meetExisting(row: PersonRow, groupIds: readonly string[]): Promise<Outcome> {
    const known = await this.#known.find(normalizeEmail(row.email) ?? row.email, true);
    if (!known) {
      const message = 'A member with this address existed a moment ago. Import the row again.';
      return { kind: 'conflict', code: 'email_taken', message };
    }
    const fields = differencesOf(row, known);
    if (fields.length > 0) return differs(fields);
    let added = false;
    for (const groupId of groupIds) {
      if (!known.isIn(groupId) && (await this.#addToGroup(groupId, known.id))) added = true;
    }
    return { kind: added ? 'addedToGroups' : 'unchanged' };
  }

  /** False when the member is in the group by now, put there by an earlier row or by somebody else. */
  async #addToGroup(groupId: string, memberId: string): Promise<boolean> {
    try {
      await this.#gatehouse.accessGroups.members.add(groupId, { memberId });
      return true;
    } catch (error) {
      if (error instanceof GatehouseError && error.code === 'already_in_group') return false;
      throw error;
    }
  }
}

/** Runs the work for each item, a bounded number of them at once. */
async function forEachAtOnce<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = Iterator.from(items);
  const worker = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: requestsAtOnce }, worker));
}
