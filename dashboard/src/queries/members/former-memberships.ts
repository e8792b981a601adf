import type { Event } from '@gatehouse/client';
import { useQueries } from '@tanstack/react-query';
import { useMay } from '../../session/site.ts';
import { useSiteApi } from '../site-api.ts';

/** How and when a member left a group. */
export interface FormerMembership {
  readonly groupId: string;
  readonly how: 'ended' | 'removed';
  readonly at: string;
}

/** Among the newest events of a member in a group is the last one about the membership. */
const newestEvents = 5;
/** Rules seldom name more. */
const maxGroups = 12;

/** The last membership that a member had in each of some groups, as far as events of it are retained, and if it is over. */
export function useFormerMemberships(
  memberId: string | undefined,
  groupIds: readonly string[],
): ReadonlyMap<string, FormerMembership> {
  const { gatehouse, keys } = useSiteApi();
  const enabled = useMay('events:read') && memberId !== undefined;
  return useQueries({
    queries: groupIds.slice(0, maxGroups).map((groupId) => ({
      queryKey: keys.memberships.former(memberId, groupId),
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const filter = { memberId: memberId!, groupId, order: 'desc', limit: newestEvents } as const;
        const { data } = await gatehouse.events.list(filter, { signal }).page();
        return readFormerMembership(data, groupId, new Date()) ?? null;
      },
      enabled,
    })),
    combine: byGroup,
  });
}

function byGroup(results: readonly { data: FormerMembership | null | undefined }[]) {
  const found = results.map(({ data }) => data).filter((each) => each != null);
  return new Map(found.map((former) => [former.groupId, former]));
}

/**
 * How a membership is over, from the events of a member in a group, newest first. Undefined if it is not over. The end may
 * have passed some seconds before there is an event of it.
 */
export function readFormerMembership(
  events: readonly Event[],
  groupId: string,
  now: Date,
): FormerMembership | undefined {
  for (const { type, data, occurredAt } of events) {
    if ('erased' in data) return undefined;
    switch (type) {
      case 'access-group.member.removed':
        return { groupId, how: 'removed', at: occurredAt };
      case 'access-group.member.expired':
      case 'access-group.member.added':
        return endedAt(groupId, data.expiresAt, now);
      case 'access-group.member.updated':
        return endedAt(groupId, data.changes.find(({ field }) => field === 'expiresAt')?.to, now);
    }
  }
  return undefined;
}

function endedAt(groupId: string, end: unknown, now: Date): FormerMembership | undefined {
  if (typeof end !== 'string' || new Date(end) > now) return undefined;
  return { groupId, how: 'ended', at: end };
}
