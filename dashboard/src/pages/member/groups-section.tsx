import type { AccessGroupReference, Membership, MemberWithGroups } from '@gatehouse/client';
import { Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { EndText } from '../../components/end-text.tsx';
import { DialogButtons } from '../../components/forms/dialog-buttons.tsx';
import { IconCalendar, IconPlus, IconX } from '../../components/icons/icons.ts';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { Dialog } from '../../components/layout/dialog.tsx';
import { Hint } from '../../components/layout/hint.tsx';
import { IconAction } from '../../components/layout/icon-action.tsx';
import { LinkText } from '../../components/layout/links.tsx';
import { List, ListRow } from '../../components/layout/list.tsx';
import { Section } from '../../components/layout/section.tsx';
import { LastDayDialog } from '../../components/members/last-day-dialog.tsx';
import { GroupSelect, LastDayField } from '../../components/members/membership-fields.tsx';
import { useMemberChange } from '../../components/members/use-member-change.ts';
import { ScopeBadge } from '../../components/sources/scope-badge.tsx';
import { passFocusOn } from '../../hooks/focus.ts';
import { useLastDay } from '../../hooks/use-last-day.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useAccessGroups } from '../../queries/access-groups.ts';
import { useGroupById } from '../../queries/by-id.ts';
import { useEndChange, useMembership } from '../../queries/memberships.ts';
import type { Version } from '../../queries/version.ts';
import { useGatehouse, useMay } from '../../session/site.ts';

/** The groups of the member, with the last days. */
export function GroupsSection({ member }: { member: MemberWithGroups }) {
  const t = useTexts('member');
  const mayWrite = useMay('access-groups:write');
  const [adding, { open, close }] = useDisclosure();
  const [changing, setChanging] = useState<AccessGroupReference | null>(null);
  const { remove, changeEnd } = useMembershipChanges(member);
  return (
    <Section
      title={t('groups')}
      action={mayWrite && <ActionButton icon={IconPlus} label={t('addToGroup')} size="xs" onClick={open} />}
    >
      {member.accessGroups.length === 0 ? (
        <Hint>{t('noGroups')}</Hint>
      ) : (
        <List label={t('groups')}>
          {member.accessGroups.map((group) => (
            <GroupRow
              key={group.id}
              group={group}
              member={member}
              actions={mayWrite ? { remove, changeEnd: setChanging } : undefined}
            />
          ))}
        </List>
      )}
      <Dialog opened={adding} onClose={close} title={t('addToGroup')}>
        <AddForm member={member} close={close} />
      </Dialog>
      <LastDayDialog
        memberId={member.id}
        groupId={changing?.id}
        title={changing && t('changeEnd', { group: changing.name })}
        save={(saved, end) => changeEnd(changing!, saved, end)}
        close={() => setChanging(null)}
      />
    </Section>
  );
}

interface GroupRowProps {
  group: AccessGroupReference;
  member: MemberWithGroups;
  actions:
    | {
        remove: (group: AccessGroupReference, membership: Membership) => void;
        changeEnd: (group: AccessGroupReference) => void;
      }
    | undefined;
}

function GroupRow({ group, member, actions }: GroupRowProps) {
  const t = useTexts('member');
  const membership = useMembership(member.id, group.id)?.data;
  const isFollowing = membership?.source === 'scope';
  return (
    <ListRow
      ref={passFocusOn}
      trailing={
        <>
          {isFollowing && <ScopeMark groupId={group.id} />}
          <Hint size="xs">
            {membership?.expiresAt
              ? t.rich('until', { time: <EndText at={membership.expiresAt} /> })
              : membership && t('withoutEnd')}
          </Hint>
        </>
      }
      actions={
        actions &&
        !isFollowing &&
        membership && (
          <MembershipButtons
            group={group}
            remove={() => actions.remove(group, membership)}
            changeEnd={() => actions.changeEnd(group)}
          />
        )
      }
    >
      <GroupLink group={group} />
    </ListRow>
  );
}

/** Says which source the membership comes from. */
function ScopeMark({ groupId }: { groupId: string }) {
  return <ScopeBadge sourceId={useGroupById(groupId)?.sourceId ?? null} />;
}

function GroupLink({ group: { id, name } }: { group: AccessGroupReference }) {
  return (
    <LinkText from="/$site" to="/$site/groups/$groupId" params={{ groupId: id }} c="inherit" fw={500}>
      {name}
    </LinkText>
  );
}

interface MembershipButtonsProps {
  group: AccessGroupReference;
  remove: () => void;
  changeEnd: () => void;
}

function MembershipButtons({ group, remove, changeEnd }: MembershipButtonsProps) {
  const t = useTexts('member');
  return (
    <Group gap="xs" wrap="nowrap">
      <IconAction icon={IconCalendar} label={t('changeEnd', { group: group.name })} onClick={changeEnd} />
      <IconAction icon={IconX} label={t('removeFrom', { group: group.name })} onClick={remove} />
    </Group>
  );
}

function AddForm({ member, close }: { member: MemberWithGroups; close: () => void }) {
  const t = useTexts('member');
  const { data: groups } = useAccessGroups();
  const { add } = useMembershipChanges(member);
  const [groupId, setGroupId] = useState<string | null>(null);
  const group = groups?.find(({ id }) => id === groupId);
  const { field, pending, submit } = useLastDay('', async (expiresAt) => {
    const isAdded = group !== undefined && (await add(group, expiresAt));
    if (isAdded) close();
    return isAdded;
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        <GroupSelect groupId={groupId} choose={setGroupId} except={member.accessGroups.map(({ id }) => id)} />
        <LastDayField {...field} />
        <DialogButtons cancel={close} submit={t('add')} pending={pending} disabled={!group} />
      </Stack>
    </form>
  );
}

/** Adds the member to a group or removes the member from it. Undo restores the previous end. */
function useMembershipChanges(member: MemberWithGroups) {
  const t = useTexts('member');
  const { members } = useGatehouse().accessGroups;
  const change = useMemberChange(member.id);
  const endChange = useEndChange();
  const memberId = member.id;

  function add({ id, name }: AccessGroupReference, expiresAt: string | null): Promise<boolean> {
    return change({
      done: t('wasAdded', { group: name }),
      send: () => members.add(id, { memberId, expiresAt }),
      undo: () => members.remove(id, memberId),
    });
  }

  function remove({ id, name }: AccessGroupReference, { expiresAt }: Membership): void {
    void change({
      done: t('wasRemoved', { group: name }),
      send: () => members.remove(id, memberId),
      undo: () => members.add(id, { memberId, expiresAt }),
      becomes: { accessGroups: member.accessGroups.filter((group) => group.id !== id) },
    });
  }

  function changeEnd(
    { name }: AccessGroupReference,
    saved: Version<Membership>,
    expiresAt: string | null,
  ): Promise<boolean> {
    return change({ done: t('endChanged', { group: name }), ...endChange(saved, expiresAt) });
  }

  return { add, remove, changeEnd };
}
