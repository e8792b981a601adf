import type { AccessGroup } from '@gatehouse/client';
import { Stack } from '@mantine/core';
import { useRef, useState } from 'react';
import { DialogButtons } from '../../components/forms/dialog-buttons.tsx';
import { Dialog } from '../../components/layout/dialog.tsx';
import { MemberPicker, type PickedMember } from '../../components/members/member-picker.tsx';
import { LastDayField } from '../../components/members/membership-fields.tsx';
import { useLastDay } from '../../hooks/use-last-day.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useMembershipChanges } from './membership-changes.ts';

interface AddMemberFormProps {
  group: AccessGroup;
  close: () => void;
}

/** Adds members to a group, one after the other. */
export function AddMemberDialog({ opened, ...form }: AddMemberFormProps & { opened: boolean }) {
  const t = useTexts('groups');
  return (
    <Dialog opened={opened} onClose={form.close} title={t('addTitle', { group: form.group.name })}>
      <AddMemberForm {...form} />
    </Dialog>
  );
}

function AddMemberForm({ group, close }: AddMemberFormProps) {
  const t = useTexts('groups');
  const { add } = useMembershipChanges(group);
  const [member, setMember] = useState<PickedMember | null>(null);
  const picker = useRef<HTMLInputElement>(null);
  const { field, pending, submit } = useLastDay('', async (expiresAt) => {
    if (!member || !(await add(member, expiresAt))) return false;
    setMember(null);
    picker.current?.focus();
    return false;
  });
  return (
    <form onSubmit={submit}>
      <Stack>
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
        <DialogButtons cancel={close} submit={t('add')} pending={pending} disabled={!member} />
      </Stack>
    </form>
  );
}
