import type { AccessGroup, GroupMember, Membership } from '@gatehouse/client';
import { ActionIcon, Badge, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCalendar, IconUserMinus, IconUsers } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import { endOfDay } from '../../parts/days.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { LastDayDialog } from '../../parts/last-day-dialog.tsx';
import { refetchedWhileShort } from '../../parts/long-lists.ts';
import { MemberName } from '../../parts/member-name.tsx';
import { MemberPicker, type PickedMember } from '../../parts/member-picker.tsx';
import { LastDayField } from '../../parts/membership-fields.tsx';
import { membershipKey, useEndChange, useMembership } from '../../parts/memberships.ts';
import { More } from '../../parts/more.tsx';
import { useOneAtATime } from '../../parts/one-at-a-time.ts';
import { Section } from '../../parts/section.tsx';
import { RowsSkeleton } from '../../parts/skeletons.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { useUndoable } from '../../parts/undoable.tsx';
import type { Version } from '../../parts/version.ts';
import { useGatehouse, useSite } from '../../session/site.ts';
import classes from './group.module.css';

const pageSize = 50;

/** Who is in a group; with `mayWrite`, people are added and removed. */
export function GroupMembers({ group, mayWrite }: { group: AccessGroup; mayWrite: boolean }) {
  const t = useTexts('groups');
  const members = useGroupMembers(group);
  const { add, ...changes } = useMembershipChanges(group);
  return (
    <Section title={t('people')} description={t('count', { count: group.memberCount })}>
      {mayWrite && <AddMember add={add} />}
      {members.isPending && <RowsSkeleton rows={4} />}
      {members.error && <ErrorNote error={members.error} retry={() => members.refetch()} />}
      {members.data && members.data.length > 0 && (
        <ul className={classes.rows} aria-label={t('people')}>
          {members.data.map((member) => (
            <MemberRow
              key={member.id}
              group={group}
              member={member}
              changes={mayWrite ? changes : undefined}
            />
          ))}
        </ul>
      )}
      {members.data?.length === 0 && (
        <EmptyState icon={IconUsers} title={t('noMembers')}>
          {mayWrite && t('noMembersText')}
        </EmptyState>
      )}
      {members.hasNextPage && !members.error && (
        <More loading={members.isFetchingNextPage} load={members.fetchNextPage} />
      )}
    </Section>
  );
}

/** A member of the group, with the end of the membership. */
type ListedMember = GroupMember & Pick<Membership, 'expiresAt'>;

interface MemberRowProps {
  group: AccessGroup;
  member: ListedMember;
  changes: Pick<ReturnType<typeof useMembershipChanges>, 'remove' | 'changeEnd'> | undefined;
}

function MemberRow({ group, member, changes }: MemberRowProps) {
  const t = useTexts('groups');
  const { expiresAt } = member;
  const [changing, { open, close }] = useDisclosure();
  const saved = useMembership(member.id, group.id, changing);
  return (
    <li className={classes.row}>
      <MemberName member={member} withEmail />
      <Group gap="xs" wrap="nowrap">
        {expiresAt && (
          <Text size="xs" c="dimmed">
            {t.rich('until', { time: <TimeText at={expiresAt} as="date" /> })}
          </Text>
        )}
        {member.status === 'blocked' && (
          <Badge color="red" variant="light">
            {t('blocked')}
          </Badge>
        )}
        {changes && (
          <ActionIcon
            variant="subtle"
            color="gray"
            c="dimmed"
            size="lg"
            aria-label={t('changeEnd', { member: nameOf(member) })}
            onClick={open}
          >
            <IconCalendar size={18} aria-hidden />
          </ActionIcon>
        )}
        {changes && (
          <ActionIcon
            variant="subtle"
            color="gray"
            c="dimmed"
            size="lg"
            aria-label={t('remove', { member: nameOf(member) })}
            onClick={() => changes.remove(member)}
          >
            <IconUserMinus size={18} aria-hidden />
          </ActionIcon>
        )}
      </Group>
      {changing && changes && saved && (
        <LastDayDialog
          title={t('changeEnd', { member: nameOf(member) })}
          expiresAt={saved.data.expiresAt}
          save={(end) => changes.changeEnd(member, saved, end)}
          close={close}
        />
      )}
    </li>
  );
}

interface AddMemberProps {
  add: (member: PickedMember, expiresAt: string | null) => Promise<boolean>;
}

function AddMember({ add }: AddMemberProps) {
  const t = useTexts('groups');
  const [member, setMember] = useState<PickedMember | null>(null);
  const [day, setDay] = useState('');
  const [adding, setAdding] = useState(false);
  const submit = useOneAtATime(async () => {
    const expiresAt = endOfDay(day, new Date());
    if (!member || expiresAt === undefined) return;
    setAdding(true);
    if (await add(member, expiresAt)) setMember(null);
    setAdding(false);
  });
  return (
    <form
      className={classes.add}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <MemberPicker
        label={t('addLabel')}
        placeholder={t('addPlaceholder')}
        nothingFound={t('nobodyFound')}
        member={member}
        choose={setMember}
      />
      <LastDayField day={day} change={setDay} />
      <Button type="submit" disabled={!member} loading={adding}>
        {t('add')}
      </Button>
    </form>
  );
}

function useGroupMembers({ id }: AccessGroup) {
  const site = useSite();
  const gatehouse = useGatehouse();
  return useInfiniteQuery({
    ...refetchedWhileShort,
    queryKey: [site.id, 'groups', 'members', id],
    queryFn: async ({ pageParam, signal }) => {
      const { members } = gatehouse.accessGroups;
      const page = { after: pageParam, limit: pageSize };
      const [people, memberships] = await Promise.all([
        members.list(id, page, { signal }).page(),
        members.listMemberships(id, page, { signal }).page(),
      ]);
      const ends = new Map(memberships.data.map(({ memberId, expiresAt }) => [memberId, expiresAt]));
      return {
        ...people,
        data: people.data.map((member) => ({ ...member, expiresAt: ends.get(member.id) ?? null })),
      };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
    select: ({ pages }): ListedMember[] => pages.flatMap(({ data }) => data),
  });
}

function useMembershipChanges({ id, name: group }: AccessGroup) {
  const t = useTexts('groups');
  const site = useSite();
  const { members } = useGatehouse().accessGroups;
  const change = useUndoable();
  const endChange = useEndChange();
  const concerns = (memberId: string) => [
    ...['groups', 'members', 'events', 'overview'].map((name) => [site.id, name]),
    membershipKey(site.id, memberId, id),
  ];

  const add = (member: PickedMember, expiresAt: string | null) =>
    change({
      done: t('added', { member: nameOf(member), group }),
      send: () => members.add(id, { memberId: member.id, expiresAt }),
      undo: () => members.remove(id, member.id),
      concerns: concerns(member.id),
    });

  const changeEnd = (member: GroupMember, saved: Version<Membership>, expiresAt: string | null) =>
    change({
      done: t('endChanged', { member: nameOf(member) }),
      ...endChange(saved, expiresAt),
      concerns: concerns(member.id),
    });

  function remove(member: ListedMember): Promise<boolean> {
    return change({
      done: t('removed', { member: nameOf(member), group }),
      send: () => members.remove(id, member.id),
      undo: () => members.add(id, { memberId: member.id, expiresAt: member.expiresAt }),
      concerns: concerns(member.id),
    });
  }

  return { add, remove, changeEnd };
}

function nameOf({ displayName, email }: Pick<PickedMember, 'displayName' | 'email'>): string {
  return displayName ?? email;
}
