import type { CollectionResult } from '@gatehouse/contract';
import { idsOf } from '../../base/ids.ts';
import type { Change } from '../events/change.ts';
import {
  clearVersions,
  deleteCreatedMembers,
  erasePeople,
  lockRunsWithPeople,
  updatePeopleOfRun,
} from './listed-people-store.ts';

type Sample = CollectionResult['sample'];
type SkippedPeople = CollectionResult['skippedPeople'];

/**
 * Erases deleted members from what the sources of a site have stored. Those who are still listed in a workspace become
 * members again with the next synchronization.
 */
export async function eraseListedPeople(
  change: Change,
  deleted: readonly { readonly id: string; readonly email: string }[],
): Promise<void> {
  const emails = new Set(deleted.map(({ email }) => email));
  await deleteCreatedMembers(change, idsOf(deleted));
  await clearVersions(change, await erasePeople(change, [...emails]));
  for (const run of await lockRunsWithPeople(change)) {
    const samples = withoutPeople(run.samples, (sample: Sample) => withoutEmails(sample, emails));
    const skipped = withoutPeople(run.skipped, (people: SkippedPeople) => withoutValues(people, emails));
    if (samples === run.samples && skipped === run.skipped) continue;
    await updatePeopleOfRun(change, { id: run.id, samples, skipped });
  }
}

function withoutPeople<T>(text: string | null, remaining: (people: T) => T): string | null {
  if (text === null) return null;
  const byCollection = Object.entries<T>(JSON.parse(text));
  return JSON.stringify(Object.fromEntries(byCollection.map(([key, people]) => [key, remaining(people)])));
}

function withoutEmails({ added, removed }: Sample, emails: ReadonlySet<string>): Sample {
  const isOther = (email: string) => !emails.has(email);
  return { added: added.filter(isOther), removed: removed.filter(isOther) };
}

/** A value that could not be read may contain the address beside others: `ada@example.org, bob@example.org`. */
function withoutValues(people: SkippedPeople, emails: ReadonlySet<string>): SkippedPeople {
  return people.filter(({ value }) => {
    const text = value.toLowerCase();
    return ![...emails].some((email) => text.includes(email));
  });
}
