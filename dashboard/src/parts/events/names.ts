import { type ApiKey, GatehouseError, type Operator } from '@gatehouse/client';
import { useQuery } from '@tanstack/react-query';
import { useGatehouse, useMay, useSite } from '../../session/site.ts';

const largestPage = 100;
/** Names change seldom, and whoever changes one here has them looked up anew. */
const staleTime = 5 * 60_000;

export interface KnownMember {
  readonly id: string;
  readonly email: string;
  readonly displayName: string | null;
}

/** A member that something speaks of by id: null when there is none any more, undefined while it is not known. */
export function useMemberById(id: string | undefined): KnownMember | null | undefined {
  const site = useSite();
  const gatehouse = useGatehouse();
  const enabled = useMay('members:read') && id !== undefined;
  const { data } = useQuery({
    queryKey: [site.id, 'members', 'name', id],
    queryFn: ({ signal }) => orNull(gatehouse.members.get(id!, { signal }), 'member_not_found'),
    enabled,
    staleTime,
  });
  return data;
}

/** As `useMemberById`, for an access group. */
export function useGroupById(id: string | undefined): { id: string; name: string } | null | undefined {
  const site = useSite();
  const gatehouse = useGatehouse();
  const enabled = useMay('access-groups:read') && id !== undefined;
  const { data } = useQuery({
    queryKey: [site.id, 'groups', 'name', id],
    queryFn: ({ signal }) => orNull(gatehouse.accessGroups.get(id!, { signal }), 'access_group_not_found'),
    enabled,
    staleTime,
  });
  return data;
}

/** An API key of the site; undefined for those who may not see the keys. */
export function useKeyById(id: string): ApiKey | undefined {
  const site = useSite();
  const gatehouse = useGatehouse();
  const enabled = useMay('api-keys:read');
  const { data } = useQuery({
    queryKey: [site.id, 'keys'],
    queryFn: ({ signal }) => Array.fromAsync(gatehouse.apiKeys.list({ limit: largestPage }, { signal })),
    enabled,
    staleTime,
  });
  return data?.find((key) => key.id === id);
}

/** An operator of the site: null for one who is none any more, undefined while it is not known. */
export function useOperatorById(id: string): Operator | null | undefined {
  const site = useSite();
  const gatehouse = useGatehouse();
  const enabled = useMay('operators:read');
  const { data } = useQuery({
    queryKey: [site.id, 'operators'],
    queryFn: ({ signal }) => Array.fromAsync(gatehouse.operators.list({ limit: largestPage }, { signal })),
    enabled,
    staleTime,
  });
  return data && (data.find((operator) => operator.id === id) ?? null);
}

async function orNull<Thing>(call: Promise<Thing>, missing: string): Promise<Thing | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof GatehouseError && error.code === missing) return null;
    throw error;
  }
}
