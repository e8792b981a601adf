import { Stack } from '@mantine/core';
import { useState } from 'react';
import { DialogButtons } from '../../../components/forms/dialog-buttons.tsx';
import { Dialog } from '../../../components/layout/dialog.tsx';
import { Hint } from '../../../components/layout/hint.tsx';
import { GroupSelect, LastDayField } from '../../../components/members/membership-fields.tsx';
import { chosenEnd } from '../../../format/days.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useAccessGroups } from '../../../queries/access-groups.ts';
import { useSite } from '../../../session/site.ts';

interface GroupDialogProps {
  /** Null while the dialog is closed. */
  groupAction: 'addToGroup' | 'removeFromGroup' | null;
  close: () => void;
  choose: (group: { id: string; name: string }, expiresAt: string | null) => void;
}

interface GroupFormProps {
  adding: boolean;
  close: GroupDialogProps['close'];
  choose: GroupDialogProps['choose'];
}

/** Asks for the group to which the selected members are added, or from which they are removed. */
export function GroupDialog({ groupAction, ...form }: GroupDialogProps) {
  const t = useTexts('members');
  return (
    <Dialog opened={groupAction !== null} onClose={form.close} title={groupAction && t(groupAction)}>
      <GroupForm adding={groupAction === 'addToGroup'} {...form} />
    </Dialog>
  );
}

function GroupForm({ adding, close, choose }: GroupFormProps) {
  const t = useTexts('members');
  const { data: groups } = useAccessGroups();
  const { timeZone } = useSite();
  const [groupId, setGroupId] = useState<string | null>(null);
  const [day, setDay] = useState('');
  const group = groups?.find(({ id }) => id === groupId);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const expiresAt = chosenEnd(day, timeZone, new Date());
        if (group && expiresAt !== undefined) choose(group, expiresAt);
      }}
    >
      <Stack>
        <GroupSelect groupId={groupId} choose={setGroupId} />
        {adding && <LastDayField day={day} change={setDay} />}
        {adding && <Hint>{t(day === '' ? 'addToGroup.text' : 'addToGroup.membersToo')}</Hint>}
        <DialogButtons cancel={close} submit={t(adding ? 'add' : 'remove')} disabled={!group} />
      </Stack>
    </form>
  );
}
