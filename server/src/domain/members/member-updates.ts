import type { Member } from '@gatehouse/contract';
import { inBatches } from '../../storage/sql/batches.ts';
import type { Change } from '../events/change.ts';
import { changesBetween, type NewEvent } from '../events/event.ts';
import { removeIdentities } from '../identities/identities.ts';
import { endPasskeys } from '../passkey-ends/passkey-ends.ts';
import { type OwnBrowser, revokeCredentials } from './credentials.ts';
import { countsOfChange } from './member.ts';
import { textColumns } from './member-columns.ts';
import { type CommonValues, updateCommonValues, updateTexts } from './member-store.ts';
import { type ChangedValues, updatedFields } from './member-values.ts';

/** Changes the same values of many members, whose rows are locked. Returns the members that were changed. */
export async function updateMembers(
  change: Change,
  members: readonly Member[],
  changes: CommonValues,
): Promise<Member[]> {
  const updates = new MemberUpdates(change, members);
  const changed = members.filter(({ id }) => updates.apply(id, changes));
  await updates.store();
  return changed;
}

/** Renames members whose rows are locked. */
export async function renameMembers(
  change: Change,
  renames: readonly { readonly member: Member; readonly to: string | null }[],
): Promise<void> {
  const updates = new MemberUpdates(
    change,
    renames.map(({ member }) => member),
  );
  for (const { member, to } of renames) updates.apply(member.id, { displayName: to });
  await updates.store();
}

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
  apply(id: string, values: Partial<ChangedValues> & CommonValues): Member | undefined {
    const before = this.get(id)!;
    const after = { ...before, ...values, updatedAt: this.#change.now };
    const events = changeEvents(before, after);
    if (events.length === 0) return undefined;
    this.#change.record(...events);
    this.#changed.set(after.id, after);
    return after;
  }

  async store(): Promise<void> {
    const change = this.#change;
    const changed = [...this.#changed.values()].map((after) => ({
      after,
      before: this.#stored.get(after.id)!,
    }));
    const renamed = changed.filter(hasOtherTexts).map(({ after }) => after);
    await inBatches(renamed, (batch) => updateTexts(change, batch));
    // Also members whose values are what they were before: they have events, and so a new time of the last change.
    const others = changed.filter((each) => !hasOtherTexts(each) || hasOtherCommonValues(each));
    const alike = Map.groupBy(others, (each) => JSON.stringify(newCommonValues(each)));
    for (const some of alike.values()) {
      const ids = some.map(({ after }) => after.id);
      await inBatches(ids, (batch) => updateCommonValues(change, batch, newCommonValues(some[0]!)));
    }
    await revokeLostAccess(change, changed);
  }
}

/** A member with the stored values, and with those after the updates. */
interface ChangedMember {
  readonly before: Member;
  readonly after: Member;
}

function hasOtherTexts({ before, after }: ChangedMember): boolean {
  return textColumns.some(({ value }) => value(before) !== value(after));
}

function hasOtherCommonValues({ before, after }: ChangedMember): boolean {
  return before.paid !== after.paid || before.status !== after.status;
}

function newCommonValues({ before, after }: ChangedMember): CommonValues {
  return {
    ...(after.paid !== before.paid && { paid: after.paid }),
    ...(after.status !== before.status && { status: after.status }),
  };
}

/** Revokes the credentials of the members who lose their access with a change. */
export async function revokeLostAccess(
  change: Change,
  changed: readonly ChangedMember[],
  own: OwnBrowser | null = null,
): Promise<void> {
  const byReason = Map.groupBy(changed, ({ before, after }) => lossOfAccess(before, after));
  for (const [reason, losing] of byReason) {
    if (reason === undefined) continue;
    const members = losing.map(({ before }) => before);
    await revokeCredentials(change, members, reason, own);
  }
  // A member who changes the own address decides about them.
  if (own === null) await endWaysIn(change, changed);
}

/** Ends the passkeys and accounts of the members with a new address, also of those who are blocked at the same time. */
async function endWaysIn(change: Change, changed: readonly ChangedMember[]): Promise<void> {
  const memberIds = changed
    .filter(({ before, after }) => before.email !== after.email)
    .map(({ before }) => before.id);
  if (memberIds.length === 0) return;
  await endPasskeys(change, memberIds, 'email_changed');
  await removeIdentities(change, memberIds, 'email_changed');
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
  const fields = changesBetween(before, after, updatedFields);
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
