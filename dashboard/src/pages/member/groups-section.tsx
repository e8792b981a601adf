import type { AccessGroupReference, Membership, MemberWithGroups } from '@gatehouse/client';
import { ActionIcon, Anchor, Badge, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCalendar, IconPlus, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import { useAccessGroups } from '../../parts/access-groups.ts';
import { endOfDay } from '../../parts/days.ts';
import { LastDayDialog } from '../../parts/last-day-dialog.tsx';
import { MembershipFields } from '../../parts/membership-fields.tsx';
import { useEndChange, useMembership } from '../../parts/memberships.ts';
import { useOneAtATime } from '../../parts/one-at-a-time.ts';
import { Section } from '../../parts/section.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import type { Version } from '../../parts/version.ts';
import { useGatehouse, useMay, useSite } from '../../session/site.ts';
import classes from './member.module.css';
import { useMemberChange } from './member-query.ts';

/** The groups of the member, and until when. */
export function GroupsSection({ member }: { member: MemberWithGroups }) {
  const t = useTexts('member');
  const mayWrite = useMay('access-groups:write');
  const [adding, { open, close }] = useDisclosure();
  return (
    <Section
      title={t('groups')}
      action={
        mayWrite && (
          <Button variant="default" size="xs" leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
            {t('addToGroup')}
          </Button>
        )
      }
    >
      {member.accessGroups.length === 0 && <Text c="dimmed">{t('noGroups')}</Text>}
      <ul className={classes.rows}>
        {member.accessGroups.map((group) => (
          <GroupRow key={group.id} group={group} member={member} mayWrite={mayWrite} />
        ))}
      </ul>
      {adding && <AddDialog member={member} close={close} />}
    </Section>
  );
}

interface GroupRowProps {
  group: AccessGroupReference;
  member: MemberWithGroups;
  mayWrite: boolean;
}

function GroupRow({ group, member, mayWrite }: GroupRowProps) {
  const t = useTexts('member');
  const { slug } = useSite();
  const saved = useMembership(member.id, group.id);
  const membership = saved?.data;
  const { remove, changeEnd } = useMembershipChanges(member);
  const [changing, { open, close }] = useDisclosure();
  const follows = membership?.source === 'scope';
  return (
    <li className={classes.row}>
      <div className={classes.text}>
        <Anchor
          renderRoot={(props) => (
            <Link to="/$site/groups/$groupId" params={{ site: slug, groupId: group.id }} {...props} />
          )}
          c="inherit"
          fw={500}
        >
          {group.name}
        </Anchor>
        <Text size="xs" c="dimmed">
          {membership?.expiresAt
            ? t.rich('until', { time: <TimeText at={membership.expiresAt} as="date" /> })
            : membership && t('withoutEnd')}
        </Text>
      </div>
      {follows && (
        <Badge variant="light" color="gray" c="dimmed" title={t('followsText')}>
          {t('follows')}
        </Badge>
      )}
      {mayWrite && !follows && membership && (
        <Group gap="xs" wrap="nowrap">
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('changeEnd', { group: group.name })}
            onClick={open}
          >
            <IconCalendar size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('removeFrom', { group: group.name })}
            onClick={() => remove(group, membership)}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </Group>
      )}
      {changing && saved && (
        <LastDayDialog
          title={t('changeEnd', { group: group.name })}
          expiresAt={saved.data.expiresAt}
          save={(expiresAt) => changeEnd(group, saved, expiresAt)}
          close={close}
        />
      )}
    </li>
  );
}

function AddDialog({ member, close }: { member: MemberWithGroups; close: () => void }) {
  const t = useTexts('member');
  const parts = useTexts('parts');
  const { data: groups } = useAccessGroups();
  const { add } = useMembershipChanges(member);
  const [groupId, setGroupId] = useState<string | null>(null);
  const [day, setDay] = useState('');
  const [saving, setSaving] = useState(false);
  const group = groups?.find(({ id }) => id === groupId);

  const submit = useOneAtATime(async () => {
    const expiresAt = endOfDay(day, new Date());
    if (!group || expiresAt === undefined) return;
    setSaving(true);
    if (await add(group, expiresAt)) close();
    else setSaving(false);
  });

  return (
    <Modal opened onClose={close} title={t('addToGroup')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Stack>
          <MembershipFields
            groupId={groupId}
            choose={setGroupId}
            except={member.accessGroups.map(({ id }) => id)}
            day={day}
            changeDay={setDay}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {parts('cancel')}
            </Button>
            <Button type="submit" disabled={!group} loading={saving}>
              {t('add')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** Into a group and out of it; undone with the same end as before. */
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
