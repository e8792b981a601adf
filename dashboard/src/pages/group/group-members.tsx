import type { AccessGroup, GroupMember, Membership } from '@gatehouse/client';
import { Badge, Button, Group } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { EndText } from '../../components/end-text.tsx';
import { QueryState } from '../../components/feedback/query-state.tsx';
import { IconCalendar, IconUserMinus, IconUsers } from '../../components/icons/icons.ts';
import { EmptyState } from '../../components/layout/empty-state.tsx';
import { Hint } from '../../components/layout/hint.tsx';
import { IconAction } from '../../components/layout/icon-action.tsx';
import { Section } from '../../components/layout/section.tsx';
import { LastDayDialog } from '../../components/members/last-day-dialog.tsx';
import { MemberName } from '../../components/members/member-name.tsx';
import { MemberPicker, type PickedMember } from '../../components/members/member-picker.tsx';
import { LastDayField } from '../../components/members/membership-fields.tsx';
import { passFocusOn } from '../../hooks/focus.ts';
import { useLastDay } from '../../hooks/use-last-day.ts';
import { useUndoable } from '../../hooks/use-undoable.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteKeys } from '../../queries/keys.ts';
import { itemsOf, pageByPage } from '../../queries/long-lists.ts';
import { useEndChange } from '../../queries/memberships.ts';
import { useSiteApi } from '../../queries/site-api.ts';
import type { Version } from '../../queries/version.ts';
import { useGatehouse } from '../../session/site.ts';
import classes from './group.module.css';

const pageSize = 50;

/** The members of a group. With `mayWrite`, members can be added and removed. */
export function GroupMembers({ group, mayWrite }: { group: AccessGroup; mayWrite: boolean }) {
  const t = useTexts('groups');
  const members = useGroupMembers(group);
  const { add, remove, changeEnd } = useMembershipChanges(group);
  const [changing, setChanging] = useState<ListedMember | null>(null);
  return (
    <Section title={t('groupMembers')} description={t('count', { count: group.memberCount })}>
      {mayWrite && <AddMember add={add} />}
      {members.data && members.data.length > 0 && (
        <ul className={classes.rows} aria-label={t('groupMembers')}>
          {members.data.map((member) => (
            <MemberRow
              key={member.id}
              member={member}
              actions={mayWrite ? { remove, changeEnd: setChanging } : undefined}
            />
          ))}
        </ul>
      )}
      {members.data?.length === 0 && (
        <EmptyState icon={IconUsers} title={t('noMembers')}>
          {mayWrite && t('noMembersText')}
        </EmptyState>
      )}
      <QueryState query={members} rows={4} />
      <LastDayDialog
        memberId={changing?.id}
        groupId={group.id}
        title={changing && t('changeEnd', { member: nameOf(changing) })}
        save={(saved, end) => changeEnd(changing!, saved, end)}
        close={() => setChanging(null)}
      />
    </Section>
  );
}

/** A member of the group, with the end of the membership. */
type ListedMember = GroupMember & Pick<Membership, 'expiresAt'>;

interface MemberRowProps {
  member: ListedMember;
  actions: Record<'remove' | 'changeEnd', (member: ListedMember) => void> | undefined;
}

function MemberRow({ member, actions }: MemberRowProps) {
  const t = useTexts('groups');
  const name = nameOf(member);
  const look = { c: 'dimmed', size: 'lg', iconSize: 18 } as const;
  return (
    <li className={classes.row} ref={passFocusOn}>
      <MemberName member={member} withEmail />
      <Group gap="xs" wrap="nowrap">
        {member.expiresAt && (
          <Hint size="xs">{t.rich('until', { time: <EndText at={member.expiresAt} /> })}</Hint>
        )}
        {member.status === 'blocked' && (
          <Badge color="red" variant="light">
            {t('blocked')}
          </Badge>
        )}
        {actions && (
          <>
            <IconAction
              icon={IconCalendar}
              {...look}
              label={t('changeEnd', { member: name })}
              onClick={() => actions.changeEnd(member)}
            />
            <IconAction
              icon={IconUserMinus}
              {...look}
              label={t('remove', { member: name })}
              onClick={() => actions.remove(member)}
            />
          </>
        )}
      </Group>
    </li>
  );
}

function AddMember({ add }: Pick<ReturnType<typeof useMembershipChanges>, 'add'>) {
  const t = useTexts('groups');
  const [member, setMember] = useState<PickedMember | null>(null);
  const picker = useRef<HTMLInputElement>(null);
  const { field, pending, submit } = useLastDay('', async (expiresAt) => {
    if (!member || !(await add(member, expiresAt))) return false;
    setMember(null);
    picker.current?.focus();
    return false;
  });
  return (
    <form className={classes.add} onSubmit={submit}>
      <MemberPicker
        ref={picker}
        openOnFocus={false}
        label={t('addLabel')}
        placeholder={t('addPlaceholder')}
        nothingFound={t('noMemberFound')}
        member={member}
        choose={setMember}
      />
      <LastDayField {...field} />
      <Button type="submit" disabled={!member} loading={pending}>
        {t('add')}
      </Button>
    </form>
  );
}

function useGroupMembers({ id }: AccessGroup) {
  const { gatehouse, keys } = useSiteApi();
  return useInfiniteQuery({
    ...pageByPage,
    queryKey: keys.groups.members(id),
    queryFn: async ({ pageParam, signal }) => {
      const { accessGroups } = gatehouse;
      const options = { after: pageParam, limit: pageSize };
      const [page, { data: memberships }] = await Promise.all([
        accessGroups.members.list(id, options, { signal }).page(),
        accessGroups.memberships.list(id, options, { signal }).page(),
      ]);
      const ends = new Map(memberships.map(({ memberId, expiresAt }) => [memberId, expiresAt]));
      return {
        ...page,
        data: page.data.map((member) => ({ ...member, expiresAt: ends.get(member.id) ?? null })),
      };
    },
    select: itemsOf<ListedMember>,
  });
}

function useMembershipChanges({ id, name: group }: AccessGroup) {
  const t = useTexts('groups');
  const keys = useSiteKeys();
  const { members } = useGatehouse().accessGroups;
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

  const changeEnd = (member: GroupMember, saved: Version<Membership>, expiresAt: string | null) =>
    change({
      done: t('endChanged', { member: nameOf(member) }),
      ...endChange(saved, expiresAt),
      invalidates: invalidates(member.id),
    });

  function remove(member: ListedMember): Promise<boolean> {
    return change({
      done: t('removed', { member: nameOf(member), group }),
      send: () => members.remove(id, member.id),
      undo: () => members.add(id, { memberId: member.id, expiresAt: member.expiresAt }),
      invalidates: invalidates(member.id),
    });
  }

  return { add, remove, changeEnd };
}

function nameOf({ displayName, email }: Pick<PickedMember, 'displayName' | 'email'>): string {
  return displayName ?? email;
}
