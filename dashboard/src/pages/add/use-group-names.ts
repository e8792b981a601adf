import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useAccessGroups } from '../../parts/access-groups.ts';
import { useGatehouse, useMay, useSite } from '../../session/site.ts';
import type { Person } from './people.ts';
import { isGroupName } from './people-columns.ts';

export interface GroupNames {
  /** Names without a group. */
  readonly missing: readonly string[];
  /** Names of groups whose members come from their source. */
  readonly scopes: readonly string[];
  /** Names that no group can have. */
  readonly impossible: readonly string[];
  readonly mayCreate: boolean;
  /** Whether the missing groups are to be created. */
  readonly creating: boolean;
  readonly setCreating: (creating: boolean) => void;
  /** Whether everybody can be added to the groups that are named. */
  readonly isReady: boolean;
  /** Creates what is missing. Gives the ids of the groups of somebody. @throws GatehouseError */
  readonly prepare: () => Promise<(person: Person) => readonly string[]>;
}

/** The groups that people name: as on the command line, those that are missing are created only if that is asked for. */
export function useGroupNames(people: readonly Person[]): GroupNames {
  const site = useSite();
  const gatehouse = useGatehouse();
  const client = useQueryClient();
  const mayCreate = useMay('access-groups:write');
  const { data: groups } = useAccessGroups();
  const [creating, setCreating] = useState(false);
  const names = useMemo(() => namesIn(people), [people]);
  const known = useMemo(() => new Map(groups?.map((group) => [group.name, group])), [groups]);
  const impossible = names.filter((name) => !isGroupName(name));
  const missing = names.filter((name) => isGroupName(name) && !known.has(name));
  const scopes = names.filter((name) => known.get(name)?.type === 'scope');

  async function prepare() {
    const ids = new Map(
      [...known.values()].flatMap(({ name, id, type }) => (type === 'scope' ? [] : [[name, id]])),
    );
    try {
      for (const name of missing) ids.set(name, (await gatehouse.accessGroups.create({ name })).id);
    } finally {
      if (missing.length > 0) await client.invalidateQueries({ queryKey: [site.id, 'groups'] });
    }
    return ({ groups: own = [] }: Person) => own.flatMap((name) => ids.get(name) ?? []);
  }

  const isLoaded = groups !== undefined || names.length === 0;
  return {
    ...{ missing: isLoaded ? missing : [], scopes, impossible, mayCreate, creating, setCreating, prepare },
    isReady: isLoaded && impossible.length === 0 && (missing.length === 0 || (creating && mayCreate)),
  };
}

function namesIn(people: readonly Person[]): string[] {
  const names = people.flatMap(({ groups = [], problem }) => (problem ? [] : groups));
  return [...new Set(names)].sort();
}
