import { useMemo } from 'react';
import { useAccessGroups } from '../../../queries/access-groups.ts';

/** The names of the groups by id; undefined while they are loading. */
export type GroupNames = ReadonlyMap<string, string> | undefined;

export function useGroupNames(): GroupNames {
  const { data: groups } = useAccessGroups();
  return useMemo(() => groups && new Map(groups.map(({ id, name }) => [id, name])), [groups]);
}
