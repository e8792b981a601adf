import type { Gatehouse } from '@gatehouse/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { inLots } from '../../parts/lots.ts';
import { useGatehouse, useSite } from '../../session/site.ts';
import { isEmail, type Person } from './people.ts';

/** As many as the service looks up in one request. */
const mostAtOnce = 100;
const mostLookedUp = 5_000;

interface KnownPeople {
  /** The addresses, in lower case, that are members already; undefined while that is not known. */
  readonly known: ReadonlySet<string> | undefined;
  readonly lookingUp: boolean;
}

/** Which of the people are members already. Of more than a few thousand only the import itself finds out. */
export function useKnownPeople(people: readonly Person[]): KnownPeople {
  const site = useSite();
  const gatehouse = useGatehouse();
  const addresses = useMemo(() => addressesOf(people), [people]);
  const { data, isLoading } = useQuery({
    queryKey: [site.id, 'members', 'known', addresses],
    enabled: addresses.length > 0,
    staleTime: 60_000,
    gcTime: 0,
    queryFn: ({ signal }) => lookUp(gatehouse, addresses, signal),
  });
  return { known: data, lookingUp: isLoading };
}

async function lookUp(
  gatehouse: Gatehouse,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (const some of inLots(addresses, mostAtOnce)) {
    const checks = some.map((email) => ({ email, path: '/' }));
    const decisions = await gatehouse.access.check(checks, { signal });
    decisions.forEach(({ reason }, index) => {
      if (reason !== 'unknown_member') known.add(some[index]!);
    });
  }
  return known;
}

/** Those to look up; none where there are too many. */
function addressesOf(people: readonly Person[]): string[] {
  const addresses = people
    .filter(({ email, problem }) => isEmail(email) && !problem)
    .map(({ email }) => email.trim().toLowerCase());
  const each = [...new Set(addresses)];
  return each.length > mostLookedUp ? [] : each;
}
