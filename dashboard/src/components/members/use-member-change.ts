import type { MemberWithGroups } from '@gatehouse/client';
import type { Question } from '../../hooks/use-confirm.tsx';
import { useUndoable } from '../../hooks/use-undoable.tsx';
import { useSiteKeys } from '../../queries/keys.ts';
import type { SavedMember } from '../../queries/members/member.ts';

/** Runs an action on a member, with an optimistic update and undo. Resolves to whether it succeeded. */
export function useMemberChange(memberId: string) {
  const keys = useSiteKeys();
  const change = useUndoable();
  return (what: {
    question?: Question;
    done: string;
    send: () => Promise<unknown>;
    undo?: () => Promise<unknown>;
    /** The member after the action. */
    becomes?: Partial<MemberWithGroups>;
    isHandled?: (error: unknown) => boolean;
  }) => {
    const { becomes, ...rest } = what;
    return change({
      ...rest,
      optimistic: becomes
        ? [
            {
              queryKey: keys.members.one(memberId),
              replace: (saved: SavedMember) => ({ ...saved, data: { ...saved.data, ...becomes } }),
            },
          ]
        : [],
      invalidates: [
        ...keys.affectedByMembers,
        keys.emails.all,
        keys.memberships.of(memberId),
        keys.rules.ofMember(memberId),
        keys.rules.decisions,
      ],
    });
  };
}
