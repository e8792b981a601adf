import type { MemberWithGroups, UpdateMember } from '@gatehouse/client';
import { useQuery } from '@tanstack/react-query';
import { useUndoable } from '../../parts/undoable.tsx';
import { useGatehouse, useSite } from '../../session/site.ts';

interface SavedMember {
  member: MemberWithGroups;
  /** Which of its versions this is. */
  etag: string | undefined;
}

/** The member of the page. */
export function useMember(memberId: string) {
  const site = useSite();
  const gatehouse = useGatehouse();
  return useQuery({
    queryKey: memberKey(site.id, memberId),
    queryFn: async ({ signal }): Promise<SavedMember> => {
      const { data, response } = await gatehouse.members.get(memberId, { signal }).withResponse();
      return { member: data, etag: response.etag };
    },
  });
}

/** Does something to a member: seen at once, with undo. Answers whether it was done. */
export function useMemberChange(memberId: string) {
  const site = useSite();
  const change = useUndoable();
  return (what: {
    done: string;
    send: () => Promise<unknown>;
    undo?: () => Promise<unknown>;
    /** What the member is like afterwards. */
    becomes?: Partial<MemberWithGroups>;
  }) => {
    const { becomes, ...rest } = what;
    return change({
      ...rest,
      optimistic: becomes
        ? [
            {
              queryKey: memberKey(site.id, memberId),
              replace: (saved: SavedMember) => ({ ...saved, member: { ...saved.member, ...becomes } }),
            },
          ]
        : [],
      concerns: ['members', 'groups', 'events', 'overview', 'mails'].map((name) => [site.id, name]),
    });
  };
}

/** Changes one field, if nobody has changed the member since it was read. */
export function useFieldChange({ member, etag }: SavedMember) {
  const gatehouse = useGatehouse();
  const change = useMemberChange(member.id);
  return (done: string, to: UpdateMember, from: UpdateMember) =>
    change({
      done,
      send: () => gatehouse.members.update(member.id, to, { ifMatch: etag }),
      undo: () => gatehouse.members.update(member.id, from),
    });
}

function memberKey(siteId: string, memberId: string) {
  return [siteId, 'members', 'one', memberId];
}
