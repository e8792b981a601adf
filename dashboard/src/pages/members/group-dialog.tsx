import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import { useAccessGroups } from '../../parts/access-groups.ts';
import { endOfDay } from '../../parts/days.ts';
import { GroupSelect, LastDayField } from '../../parts/membership-fields.tsx';

interface GroupDialogProps {
  adding: boolean;
  close: () => void;
  choose: (group: { id: string; name: string }, expiresAt: string | null) => void;
}

/** Asks which group the selected members are put into, or taken out of. */
export function GroupDialog({ adding, close, choose }: GroupDialogProps) {
  const t = useTexts('members');
  const parts = useTexts('parts');
  const { data: groups } = useAccessGroups();
  const [groupId, setGroupId] = useState<string | null>(null);
  const [day, setDay] = useState('');
  const group = groups?.find(({ id }) => id === groupId);
  const title = t(adding ? 'addToGroup' : 'removeFromGroup');
  return (
    <Modal opened onClose={close} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const expiresAt = endOfDay(day, new Date());
          if (group && expiresAt !== undefined) choose(group, expiresAt);
        }}
      >
        <Stack>
          <GroupSelect groupId={groupId} choose={setGroupId} />
          {adding && <LastDayField day={day} change={setDay} />}
          {adding && (
            <Text size="sm" c="dimmed">
              {t(day === '' ? 'addToGroup.text' : 'addToGroup.membersToo')}
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {parts('cancel')}
            </Button>
            <Button type="submit" disabled={!group}>
              {t(adding ? 'add' : 'remove')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
