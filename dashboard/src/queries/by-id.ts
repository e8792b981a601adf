import {
  type AccessGroup,
  type ApiKey,
  GatehouseError,
  type Invitation,
  type Operator,
} from '@gatehouse/client';
import { maxPageSize } from '@gatehouse/contract/limits';
import { useQuery } from '@tanstack/react-query';
import { useMay } from '../session/site.ts';
import { useSiteApi } from './site-api.ts';

/** Names rarely change, and changing one in the dashboard refetches it. */
const staleTime = 5 * 60_000;

export interface KnownMember {
  readonly id: string;
  readonly email: string;
  readonly displayName: string | null;
}

/** A member by id: null if it no longer exists, undefined while loading. */
export function useMemberById(id: string | undefined): KnownMember | null | undefined {
  const { gatehouse, keys } = useSiteApi();
  const enabled = useMay('members:read') && id !== undefined;
  const { data } = useQuery({
    queryKey: keys.members.name(id),
    queryFn: ({ signal }) => orNull(gatehouse.members.get(id!, { signal }), 'member_not_found'),
    enabled,
    staleTime,
  });
  return data;
}

/** Like `useMemberById`, for an access group. */
export function useGroupById(id: string | undefined): AccessGroup | null | undefined {
  const { gatehouse, keys } = useSiteApi();
  const enabled = useMay('access-groups:read') && id !== undefined;
  const { data } = useQuery({
    queryKey: keys.groups.name(id),
    queryFn: ({ signal }) => orNull(gatehouse.accessGroups.get(id!, { signal }), 'access_group_not_found'),
    enabled,
    staleTime,
  });
  return data;
}

/** Like `useMemberById`, for an invitation. */
export function useInvitationById(id: string | undefined): Invitation | null | undefined {
  const { gatehouse, keys } = useSiteApi();
  const enabled = useMay('invitations:read') && id !== undefined;
  const { data } = useQuery({
    queryKey: keys.invitations.name(id),
    queryFn: ({ signal }) => orNull(gatehouse.invitations.get(id!, { signal }), 'invitation_not_found'),
    enabled,
    staleTime,
  });
  return data;
}

/** An API key by id; undefined if the operator may not read the keys. */
export function useKeyById(id: string): ApiKey | undefined {
  const { gatehouse, keys } = useSiteApi();
  const enabled = useMay('api-keys:read');
  const { data } = useQuery({
    queryKey: keys.apiKeys,
    queryFn: ({ signal }) => Array.fromAsync(gatehouse.apiKeys.list({ limit: maxPageSize }, { signal })),
    enabled,
    staleTime,
  });
  return data?.find((key) => key.id === id);
}

/** An operator by id: null if it no longer exists, undefined while loading. */
export function useOperatorById(id: string): Operator | null | undefined {
  const { gatehouse, keys } = useSiteApi();
  const enabled = useMay('operators:read');
  const { data } = useQuery({
    queryKey: keys.operators,
    queryFn: ({ signal }) => Array.fromAsync(gatehouse.operators.list({ limit: maxPageSize }, { signal })),
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
