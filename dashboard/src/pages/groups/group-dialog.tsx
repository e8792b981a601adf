import type { AccessGroup, Gatehouse } from '@gatehouse/client';
import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import { FormErrorNote } from '../../parts/error-note.tsx';
import { useFormErrors } from '../../parts/form-errors.ts';
import { useStaleQuestion } from '../../parts/stale.ts';
import { changeFields, isStale, toVersion, type Version } from '../../parts/version.ts';
import { useGatehouse, useSite } from '../../session/site.ts';

interface GroupDialogProps {
  /** The group to change, as it was read; a new one is made without. */
  group?: Version<AccessGroup>;
  close: () => void;
}

/** The name and description of a group. What was typed stays when it cannot be saved. */
export function GroupDialog({ group, close }: GroupDialogProps) {
  // What was begun on one version is never saved over another.
  const [base] = useState(group);
  const t = useTexts('groups');
  const parts = useTexts('parts');
  const site = useSite();
  const gatehouse = useGatehouse();
  const client = useQueryClient();
  const askWhenStale = useStaleQuestion();
  const form = useForm({
    initialValues: { name: base?.data.name ?? '', description: base?.data.description ?? '' },
    validate: { name: isNotEmpty(t('nameMissing')) },
  });
  const formErrors = useFormErrors(form);
  const saving = useMutation({
    onMutate: formErrors.clear,
    mutationFn: ({ name, description }: typeof form.values) => {
      const values = { name: name.trim(), description: description.trim() || null };
      return base ? update(gatehouse, base, values) : gatehouse.accessGroups.create(values);
    },
    onError: async (error) => {
      if (!isStale(error)) return formErrors.show(error);
      if (!(await askWhenStale(t('staleTitle')))) return;
      close();
      await client.invalidateQueries({ queryKey: [site.id, 'groups'] });
    },
    onSuccess: async ({ name }) => {
      close();
      notifications.show({ message: base ? t('saved') : t('created', { name }) });
      await client.invalidateQueries({ queryKey: [site.id, 'groups'] });
    },
  });

  return (
    <Modal opened onClose={close} title={base ? t('editTitle', { name: base.data.name }) : t('createTitle')}>
      <form onSubmit={form.onSubmit((values) => saving.mutate(values))} noValidate>
        <Stack>
          <TextInput
            {...form.getInputProps('name')}
            label={t('name')}
            description={t('nameHelp')}
            maxLength={100}
            autoComplete="off"
            data-autofocus
          />
          <Textarea
            {...form.getInputProps('description')}
            label={t('descriptionField')}
            description={t('descriptionHelp')}
            maxLength={500}
            autosize
            minRows={2}
            maxRows={8}
          />
          <FormErrorNote failure={formErrors.failure} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {parts('cancel')}
            </Button>
            <Button type="submit" loading={saving.isPending}>
              {base ? parts('save') : t('createIt')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** Sends what differs. @throws GatehouseError `precondition_failed` when somebody else has changed that meanwhile */
async function update(
  { accessGroups }: Gatehouse,
  base: Version<AccessGroup>,
  values: Pick<AccessGroup, 'name' | 'description'>,
): Promise<AccessGroup> {
  const fields = (['name', 'description'] as const).filter((field) => values[field] !== base.data[field]);
  if (fields.length === 0) return base.data;
  const changes = Object.fromEntries(fields.map((field) => [field, values[field]]));
  return changeFields({
    base,
    fields,
    read: async () => toVersion(await accessGroups.get(base.data.id).withResponse()),
    send: (etag) => accessGroups.update(base.data.id, changes, { ifMatch: etag }),
  });
}
