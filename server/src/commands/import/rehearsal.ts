import { normalizeEmail } from '../../members/email.ts';
import { displayNameProblem, invalidEmailMessage, normalizeDisplayName } from '../../members/member.ts';
import type { PersonRow } from '../people-file/people-file.ts';
import type { Batch } from './batches.ts';
import { differencesOf } from './known-member.ts';
import type { KnownMembers } from './known-members.ts';
import { MemberIndex } from './member-index.ts';
import { differs, invalid, type Outcome, type Performer } from './outcome.ts';

/** Stands for the id of a member that is not there yet. */
const noId = '00000000-0000-0000-0000-000000000000';

/** Says what would become of batches, and changes nothing. */
export class Rehearsal implements Performer {
  readonly #known: KnownMembers;
  readonly #groupIds: ReadonlyMap<string, string>;
  /** Who would have been created by earlier rows: about 50 bytes each. */
  readonly #planned = new MemberIndex();

  constructor(known: KnownMembers, groupIds: ReadonlyMap<string, string>) {
    this.#known = known;
    this.#groupIds = groupIds;
  }

  async perform({ groups, rows }: Batch): Promise<Outcome[]> {
    // A group that is yet to be created stands for itself.
    const groupIds = groups.map((name) => this.#groupIds.get(name) ?? name);
    const outcomes: Outcome[] = [];
    for (const row of rows) outcomes.push(await this.#judge(row, groupIds));
    return outcomes;
  }

  async #judge(row: PersonRow, groupIds: readonly string[]): Promise<Outcome> {
    const email = normalizeEmail(row.email);
    if (email === null) return invalid('invalid_email', invalidEmailMessage);
    const displayName = normalizeDisplayName(row.displayName ?? null);
    if (displayName === undefined)
      return invalid('invalid_display_name', displayNameProblem(row.displayName ?? null)!);

    const known = this.#planned.find(email) ?? (await this.#known.find(email, false));
    if (!known) {
      this.#planned.add({
        id: noId,
        email,
        displayName,
        paid: row.paid ?? false,
        status: row.status ?? 'active',
      });
      for (const groupId of groupIds) this.#planned.addToGroup(email, groupId);
      return { kind: 'created' };
    }
    const fields = differencesOf(row, known);
    if (fields.length > 0) return differs(fields);
    return { kind: groupIds.every((groupId) => known.isIn(groupId)) ? 'unchanged' : 'addedToGroups' };
  }
}
