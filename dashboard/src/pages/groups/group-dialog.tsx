import type { AccessGroup } from '@gatehouse/client';
import { maxGroupDescriptionLength, maxNameLength, maxSessionLimit } from '@gatehouse/contract/limits';
import { NumberInput, Textarea, TextInput } from '@mantine/core';
import { isNotEmpty, type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import { DialogForm } from '../../components/forms/dialog-form.tsx';
import { Dialog } from '../../components/layout/dialog.tsx';
import { isSessionLimit } from '../../format/session-limit.ts';
import { useSubmission } from '../../hooks/use-submission.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteApi } from '../../queries/site-api.ts';
import { saveChanged, type Version } from '../../queries/version.ts';

interface GroupFormProps {
  /** The group to edit, as it was loaded; left out for a new one. */
  group?: Version<AccessGroup> | undefined;
  close: () => void;
}

/** A form for the name, the description and the session limit of a group. The input stays if saving fails. */
export function GroupDialog({ opened, group, close }: GroupFormProps & { opened: boolean }) {
  const t = useTexts('groups');
  const title = group ? t('editTitle', { name: group.data.name }) : t('createTitle');
  return (
    <Dialog opened={opened} onClose={close} title={title}>
      <GroupForm group={group} close={close} />
    </Dialog>
  );
}

function GroupForm({ group, close }: GroupFormProps) {
  // Edits that started on one version must never overwrite another one.
  const [base] = useState(group);
  const t = useTexts('groups');
  const common = useTexts('common');
  const form = useForm<GroupValues>({
    initialValues: {
      name: base?.data.name ?? '',
      description: base?.data.description ?? '',
      maxSessions: base?.data.maxSessions ?? '',
    },
    validate: {
      name: isNotEmpty(t('nameMissing')),
      maxSessions: (count) => (count === '' || isSessionLimit(count) ? null : t('maxSessionsWrong')),
    },
  });
  const saving = useSaving(base, form, close);
  return (
    <DialogForm form={saving} cancel={close} submit={base ? common('save') : t('createIt')}>
      <TextInput
        {...form.getInputProps('name')}
        label={t('name')}
        maxLength={maxNameLength}
        autoComplete="off"
        data-autofocus
      />
      <Textarea
        {...form.getInputProps('description')}
        label={t('descriptionField')}
        description={t('descriptionHelp')}
        maxLength={maxGroupDescriptionLength}
        autosize
        minRows={2}
        maxRows={8}
      />
      <NumberInput
        {...form.getInputProps('maxSessions')}
        label={t('maxSessions')}
        description={t('maxSessionsHelp')}
        min={1}
        max={maxSessionLimit}
        allowDecimal={false}
        allowNegative={false}
        clampBehavior="none"
      />
    </DialogForm>
  );
}

interface GroupValues {
  name: string;
  description: string;
  /** A number, or the text that was entered instead; empty for the limit of the site. */
  maxSessions: number | string;
}

function useSaving(
  base: Version<AccessGroup> | undefined,
  form: UseFormReturnType<GroupValues>,
  close: () => void,
) {
  const t = useTexts('groups');
  const { gatehouse, keys } = useSiteApi();
  const { accessGroups } = gatehouse;
  return useSubmission(form, {
    send: ({ name, description, maxSessions }) => {
      const values = {
        name: name.trim(),
        description: description.trim() || null,
        maxSessions: maxSessions === '' ? null : Number(maxSessions),
      };
      if (!base) return accessGroups.create(values);
      const { id } = base.data;
      return saveChanged<AccessGroup, typeof values>({
        base,
        before: base.data,
        values,
        read: () => accessGroups.get(id),
        send: (changes, etag) => accessGroups.update(id, changes, { ifMatch: etag }),
      });
    },
    onSuccess: close,
    done: ({ name }) => (base ? t('saved') : t('created', { name })),
    invalidates: [keys.groups.all],
    stale: { title: t('staleTitle'), queryKey: keys.groups.all, close },
  });
}
