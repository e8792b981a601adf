import type { Member, UpdateMember } from '@gatehouse/contract';
import { inBatches } from '../../storage/sql/batches.ts';
import type { Change } from '../events/change.ts';
import { changesBetween, type NewEvent } from '../events/event.ts';
import { revokeCredentials } from './credentials.ts';
import { countsOfChange } from './member.ts';
import { updateDisplayNames, updateMemberStates } from './member-store.ts';

/** Changes the same values of many members, whose rows are locked. Returns the members that were changed. */
export async function updateMembers(
  change: Change,
  members: readonly Member[],
  changes: Pick<UpdateMember, 'paid' | 'status'>,
): Promise<Member[]> {
  const changed = members
    .map((before) => ({ before, after: { ...before, ...changes } }))
    .map((each) => ({ ...each, events: changeEvents(each.before, each.after) }))
    .filter(({ events }) => events.length > 0);
  if (changed.length === 0) return [];
  const affected = changed.map(({ before }) => before);
  await updateMemberStates(
    change,
    affected.map(({ id }) => id),
    changes,
  );
  change.record(...changed.flatMap(({ events }) => events));
  await revokeLostAccess(change, changed);
  return affected;
}

/** Renames members whose rows are locked. */
export async function renameMembers(
  change: Change,
  renames: readonly { readonly member: Member; readonly to: string | null }[],
): Promise<void> {
  await inBatches(renames, (batch) => updateDisplayNames(change, batch));
  for (const { member, to } of renames)
    change.record(...changeEvents(member, { ...member, displayName: to }));
}

/** What `MemberUpdates` stores: a field that is missing here cannot be changed with it. */
export type BulkValues = Pick<Member, 'displayName' | 'paid'>;

/**
 * New values for many members, whose rows are locked. Each is applied to the result of the earlier
 * ones, and recorded as an event of its own. All are stored together.
 */
export class MemberUpdates {
  readonly #change: Change;
  readonly #stored: ReadonlyMap<string, Member>;
  readonly #changed = new Map<string, Member>();

  constructor(change: Change, members: readonly Member[]) {
    this.#change = change;
    this.#stored = new Map(members.map((member) => [member.id, member]));
  }

  /** The member after the updates so far. */
  get(id: string): Member | undefined {
    return this.#changed.get(id) ?? this.#stored.get(id);
  }

  /** Returns the member after an update; undefined if it changes nothing. */
  apply(id: string, { displayName, paid }: BulkValues): Member | undefined {
    const before = this.get(id)!;
    const after = { ...before, displayName, paid, updatedAt: this.#change.now };
    const events = changeEvents(before, after);
    if (events.length === 0) return undefined;
    this.#change.record(...events);
    this.#changed.set(after.id, after);
    return after;
  }

  async store(): Promise<void> {
    const { db, siteId, now } = this.#change;
    const changed = [...this.#changed.values()];
    const renames = changed
      .filter((after) => after.displayName !== this.#stored.get(after.id)!.displayName)
      .map((member) => ({ member, to: member.displayName }));
    await inBatches(renames, (batch) => updateDisplayNames({ db, siteId, now }, batch));
    const renamed = new Set(renames.map(({ member }) => member.id));
    // Also members whose values are what they were before: they have events, and so a new time of the last change.
    const others = changed.filter(
      (after) => !renamed.has(after.id) || after.paid !== this.#stored.get(after.id)!.paid,
    );
    for (const [paid, some] of Map.groupBy(others, (after) => after.paid)) {
      const ids = some.map(({ id }) => id);
      await inBatches(ids, (batch) => updateMemberStates({ db, siteId, now }, batch, { paid }));
    }
  }
}

/** Revokes the credentials of the members who lose their access with a change. */
export async function revokeLostAccess(
  change: Change,
  changed: readonly { readonly before: Member; readonly after: Member }[],
): Promise<void> {
  const byReason = Map.groupBy(changed, ({ before, after }) => lossOfAccess(before, after));
  for (const [reason, losing] of byReason) {
    if (reason === undefined) continue;
    const members = losing.map(({ before }) => before);
    await revokeCredentials(change, members, reason);
  }
}

/** The reason for which a change revokes a member's sessions and login links, if it does. */
function lossOfAccess(before: Member, after: Member): 'blocked' | 'email_changed' | undefined {
  if (after.status === 'blocked' && before.status !== 'blocked') return 'blocked';
  return after.email === before.email ? undefined : 'email_changed';
}

/** The events of a change of a member's values; none if nothing was changed. */
export function changeEvents(before: Member, after: Member): NewEvent[] {
  const memberId = before.id;
  const events: NewEvent[] = [];
  const fields = changesBetween(before, after, ['email', 'displayName', 'paid']);
  if (fields.length > 0) {
    const counts = countsOfChange(before, { ...before, paid: after.paid });
    events.push({ type: 'member.updated', memberId, data: { memberId, changes: fields }, counts });
  }
  const status = changesBetween(before, after, ['status']);
  if (status.length > 0) {
    const type = after.status === 'blocked' ? 'member.blocked' : 'member.unblocked';
    const counts = countsOfChange(before, { ...before, status: after.status });
    events.push({ type, memberId, data: { memberId, changes: status }, counts });
  }
  return events;
}
