import type { Change } from '../events/change.ts';
import type { PeopleByCollection } from './run.ts';
import { selectPeopleOfRuns, updatePeopleOfRuns } from './run-store.ts';
import { erasePeople } from './source-people-store.ts';

/**
 * Erases people whose members were deleted from what the sources of a site have stored. Those who are still listed in a
 * workspace become members again with the next synchronization.
 */
export async function eraseListedPeople(
  { tx, siteId }: Change,
  deleted: readonly { readonly email: string }[],
): Promise<void> {
  const emails = new Set(deleted.map(({ email }) => email));
  await erasePeople(tx, siteId, [...emails]);
  for (const { id, people: text } of await selectPeopleOfRuns(tx, siteId)) {
    const people: PeopleByCollection = JSON.parse(text);
    const others = withoutPeople(people, emails);
    if (JSON.stringify(others) !== text) await updatePeopleOfRuns(tx, siteId, [id], others);
  }
}

function withoutPeople(people: PeopleByCollection, emails: ReadonlySet<string>): PeopleByCollection {
  const remaining = (listed: readonly string[]) => listed.filter((email) => !emails.has(email));
  return Object.fromEntries(
    Object.entries(people).map(([key, { skippedPeople, sample }]) => [
      key,
      { skippedPeople, sample: { added: remaining(sample.added), removed: remaining(sample.removed) } },
    ]),
  );
}
