import { Stack } from '@mantine/core';
import { useState } from 'react';
import { useLastDay } from '../../../hooks/use-last-day.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useAccessGroups } from '../../../queries/access-groups.ts';
import { DialogButtons } from '../../forms/dialog-buttons.tsx';
import { Dialog } from '../../layout/dialog.tsx';
import { Hint } from '../../layout/hint.tsx';
import { GroupSelect, LastDayField } from '../../members/membership-fields.tsx';

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
  const [groupId, setGroupId] = useState<string | null>(null);
  const group = groups?.find(({ id }) => id === groupId);
  const { field, submit } = useLastDay('', async (expiresAt) => {
    if (group) choose(group, expiresAt);
    return false;
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        <GroupSelect groupId={groupId} choose={setGroupId} />
        {adding && <LastDayField {...field} />}
        {adding && <Hint>{t(field.day === '' ? 'addToGroup.text' : 'addToGroup.membersToo')}</Hint>}
        <DialogButtons cancel={close} submit={t(adding ? 'add' : 'remove')} disabled={!group} />
      </Stack>
    </form>
  );
}
