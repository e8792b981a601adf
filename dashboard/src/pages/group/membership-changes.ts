import type { AccessGroup, Member, Membership } from '@gatehouse/client';
import type { PickedMember } from '../../components/members/member-picker.tsx';
import { displayAddress } from '../../format/addresses/email-address.ts';
import { useUndoable } from '../../hooks/use-undoable.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteKeys } from '../../queries/keys.ts';
import { useEndChange } from '../../queries/memberships.ts';
import { type Version, versionOf } from '../../queries/version.ts';
import { useGatehouse } from '../../session/site.ts';

/** Changes of single memberships of a group, which can be undone. */
export function useMembershipChanges({ id, name: group }: AccessGroup) {
  const t = useTexts('groups');
  const keys = useSiteKeys();
  const { members, memberships } = useGatehouse().accessGroups;
  const change = useUndoable();
  const endChange = useEndChange();
  const invalidates = (memberId: string) => [...keys.affectedByMembers, keys.memberships.one(memberId, id)];

  const add = (member: PickedMember, expiresAt: string | null) =>
    change({
      done: t('added', { member: nameOf(member), group }),
      send: () => members.add(id, { memberId: member.id, expiresAt }),
      undo: () => members.remove(id, member.id),
      invalidates: invalidates(member.id),
    });

  const changeEnd = (member: Member, saved: Version<Membership>, expiresAt: string | null) =>
    change({
      done: t('endChanged', { member: nameOf(member) }),
      ...endChange(saved, expiresAt),
      invalidates: invalidates(member.id),
    });

  /** Undo restores the end that the membership had. */
  const remove = (member: Member) => {
    let expiresAt: string | null = null;
    return change({
      done: t('removed', { member: nameOf(member), group }),
      send: async () => {
        ({ expiresAt } = (await versionOf(memberships.get(id, member.id))).data);
        await members.remove(id, member.id);
      },
      undo: () => members.add(id, { memberId: member.id, expiresAt }),
      invalidates: invalidates(member.id),
    });
  };

  return { add, changeEnd, remove };
}

export function nameOf({ displayName, email }: Pick<PickedMember, 'displayName' | 'email'>): string {
  return displayName ?? displayAddress(email);
}
