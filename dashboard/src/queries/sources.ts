import type { SourceRun } from '@gatehouse/client';
import { maxPageSize } from '@gatehouse/contract/limits';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useMay } from '../session/site.ts';
import { useSiteApi } from './site-api.ts';
import { versionOf } from './version.ts';

const runningMilliseconds = 500;
const idleMilliseconds = 30_000;
/** Enough to find the last synchronization between dry runs. */
const recentRuns = 25;

/** All sources of the site, newest first; none are loaded if the operator may not see them. */
export function useSources(wanted = true) {
  const { gatehouse, keys } = useSiteApi();
  const enabled = useMay('sources:read') && wanted;
  return useQuery({
    queryKey: keys.sources.list,
    queryFn: ({ signal }) => Array.fromAsync(gatehouse.sources.list({ limit: maxPageSize }, { signal })),
    enabled,
  });
}

export function useSource(sourceId: string | undefined) {
  const { gatehouse, keys } = useSiteApi();
  return useQuery({
    queryKey: keys.sources.one(sourceId ?? ''),
    queryFn: ({ signal }) => versionOf(gatehouse.sources.get(sourceId!, { signal })),
    enabled: sourceId !== undefined,
  });
}

/** The newest runs of a source. What they have changed is loaded again when one has ended. */
export function useRuns(sourceId: string) {
  const { gatehouse, keys } = useSiteApi();
  const runs = useQuery({
    queryKey: keys.sources.runs(sourceId),
    queryFn: async ({ signal }) =>
      (await gatehouse.sources.runs.list(sourceId, { limit: recentRuns }, { signal }).page()).data,
    refetchInterval: ({ state: { data } }) =>
      data?.some(isUnderWay) ? runningMilliseconds : idleMilliseconds,
  });
  useReloadAfter(runs.data && (lastSync(runs.data)?.id ?? null), sourceId);
  return runs;
}

/** One run, until it has ended. */
export function useRun(sourceId: string, runId: string | undefined) {
  const { gatehouse, keys } = useSiteApi();
  const run = useQuery({
    queryKey: keys.sources.run(sourceId, runId ?? ''),
    queryFn: ({ signal }) => gatehouse.sources.runs.get(sourceId, runId!, { signal }),
    enabled: runId !== undefined,
    refetchInterval: ({ state: { data } }) => (data?.endedAt ? false : runningMilliseconds),
  });
  useReloadAfter(run.data && (lastSync([run.data])?.id ?? null), sourceId);
  return run;
}

/** Loads again what a run has changed, when another one has ended; undefined while that is not known. */
function useReloadAfter(endedRun: string | null | undefined, sourceId: string): void {
  const { keys, client } = useSiteApi();
  const known = useRef(endedRun);
  useEffect(() => {
    const former = known.current;
    known.current = endedRun;
    if (former === undefined || endedRun === former) return;
    const changed = [keys.sources.list, keys.sources.one(sourceId), ...keys.affectedByMembers];
    for (const queryKey of changed) void client.invalidateQueries({ queryKey });
  }, [endedRun]);
}

/** Whether a run is being done, or begins as soon as possible. */
export function isUnderWay(run: SourceRun): boolean {
  return run.status === 'running' || (run.status === 'waiting' && !isForLater(run));
}

/** Whether a run is planned for later. The clock of this browser may differ from that of the service. */
export function isForLater({ status, dueAt, createdAt }: SourceRun): boolean {
  if (status !== 'waiting' || dueAt === null) return false;
  const planned = Date.parse(dueAt);
  return planned > Date.now() && planned - Date.parse(createdAt) > idleMilliseconds;
}

/** The last synchronization that has ended; dry runs change nothing and are left out. */
export function lastSync(runs: readonly SourceRun[]): SourceRun | undefined {
  return runs.find(({ dryRun, endedAt }) => !dryRun && endedAt !== null);
}

/** When the next synchronization begins. */
export function nextSync(runs: readonly SourceRun[]): string | undefined {
  return runs.find(isForLater)?.dueAt ?? undefined;
}
