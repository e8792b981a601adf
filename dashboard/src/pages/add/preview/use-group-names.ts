import {
  createMissingGroups,
  isUsed,
  type MatchedGroups,
  type MemberDraft,
  matchGroups,
} from '@gatehouse/member-lists';
import { useMemo, useState } from 'react';
import { useAccessGroups } from '../../../queries/access-groups.ts';
import { useSiteApi } from '../../../queries/site-api.ts';
import { useMay } from '../../../session/site.ts';

export interface GroupNames extends MatchedGroups {
  /** The ids by name, as if the missing groups had been created with their names as ids. */
  readonly expectedIds: ReadonlyMap<string, string>;
  readonly mayCreate: boolean;
  /** Whether to create the missing groups. */
  readonly creating: boolean;
  readonly setCreating: (creating: boolean) => void;
  /** The number of rows with a membership that has already ended. It is not created. */
  readonly endedRows: number;
  /** Whether all members can be added to the named groups. */
  readonly isReady: boolean;
  /** Creates the missing groups. Returns the ids of all groups by name. @throws {GatehouseError} */
  readonly prepare: () => Promise<ReadonlyMap<string, string>>;
}

/** The groups that rows name. As on the command line, missing groups are created only on request. */
export function useGroupNames(drafts: readonly MemberDraft[]): GroupNames {
  const { gatehouse, keys, client } = useSiteApi();
  const mayCreate = useMay('access-groups:write');
  const { data: groups } = useAccessGroups();
  const [creating, setCreating] = useState(false);
  const { names, endedRows } = useMemo(() => surveyGroups(drafts), [drafts]);
  const matched = useMemo(() => matchGroups(names, groups ?? []), [names, groups]);
  const expectedIds = useMemo(
    () => new Map([...matched.ids, ...matched.missing.map((name) => [name, name] as const)]),
    [matched],
  );
  const isLoaded = groups !== undefined || names.size === 0;
  const missing = isLoaded ? matched.missing : [];

  async function prepare() {
    try {
      return await createMissingGroups(gatehouse, matched);
    } finally {
      if (missing.length > 0) await client.invalidateQueries({ queryKey: keys.groups.all });
    }
  }

  return {
    ...matched,
    expectedIds,
    missing,
    mayCreate,
    creating,
    setCreating,
    endedRows,
    prepare,
    isReady: isLoaded && matched.impossible.length === 0 && (missing.length === 0 || (creating && mayCreate)),
  };
}

function surveyGroups(drafts: readonly MemberDraft[]): { names: Set<string>; endedRows: number } {
  const now = new Date().toISOString();
  const usable = drafts.filter(isUsed);
  const ended = usable.filter(({ groups }) =>
    groups.some(({ expiresAt }) => expiresAt !== null && expiresAt <= now),
  );
  const names = new Set(usable.flatMap(({ groups }) => groups.map(({ name }) => name)));
  return { names, endedRows: ended.length };
}
