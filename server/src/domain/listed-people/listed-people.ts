import type { Change } from '../events/change.ts';
import { deleteCreatedMembers } from './created-member-store.ts';
import type { SamplesByCollection } from './run.ts';
import { lockSamplesOfRuns, updateSamples } from './run-store.ts';
import { erasePeople } from './source-people-store.ts';
import { clearVersions } from './source-store.ts';

/**
 * Erases deleted members from what the sources of a site have stored. Those who are still listed in a workspace become
 * members again with the next synchronization.
 */
export async function eraseListedPeople(
  { tx, siteId }: Change,
  deleted: readonly { readonly id: string; readonly email: string }[],
): Promise<void> {
  const emails = new Set(deleted.map(({ email }) => email));
  await deleteCreatedMembers(
    tx,
    siteId,
    deleted.map(({ id }) => id),
  );
  await clearVersions(tx, siteId, await erasePeople(tx, siteId, [...emails]));
  for (const { id, samples: text } of await lockSamplesOfRuns(tx, siteId)) {
    const others = withoutPeople(JSON.parse(text), emails);
    if (JSON.stringify(others) !== text) await updateSamples(tx, siteId, id, others);
  }
}

function withoutPeople(samples: SamplesByCollection, emails: ReadonlySet<string>): SamplesByCollection {
  const remaining = (listed: readonly string[]) => listed.filter((email) => !emails.has(email));
  return Object.fromEntries(
    Object.entries(samples).map(([key, { added, removed }]) => [
      key,
      { added: remaining(added), removed: remaining(removed) },
    ]),
  );
}
