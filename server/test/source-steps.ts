import type { Source, SourceRun, SyncSource } from '@gatehouse/contract';
import { expect } from 'vitest';
import { expectResponse } from './contract/answers.ts';
import type { TestSite } from './test-server.ts';

/** Waits until a run has ended. */
export async function endedRun(site: TestSite, { id, sourceId }: SourceRun): Promise<SourceRun> {
  const find = async () =>
    expectResponse('getSourceRun', await site.get(`/sources/${sourceId}/runs/${id}`), 200).data;
  await expect.poll(async () => (await find()).endedAt, { timeout: 20_000, interval: 20 }).not.toBeNull();
  return find();
}

/** Synchronizes a source that Gatehouse reads. */
export async function synchronize(
  site: TestSite,
  { id }: Source,
  options: SyncSource = {},
): Promise<SourceRun> {
  const answer = await site.post(`/sources/${id}/sync`, options);
  return endedRun(site, expectResponse('syncSource', answer, 201).data);
}

/** The scope groups of a site with the names of their members' addresses. */
export async function scopeGroups(site: TestSite): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const { id, name } of (await site.get('/access-groups?type=scope&limit=100')).body.data) {
    const { data } = (await site.get(`/access-groups/${id}/members?limit=100`)).body;
    found[name] = data.map(({ email }: { email: string }) => email.split('@')[0]).sort();
  }
  return found;
}
