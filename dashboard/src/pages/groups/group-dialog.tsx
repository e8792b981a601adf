import type { AccessGroup } from '@gatehouse/client';
import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTexts } from '../../languages/texts.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { useGatehouse, useSite } from '../../session/site.ts';

interface GroupDialogProps {
  /** The group to change; a new one is made without. */
  group?: AccessGroup;
  close: () => void;
}

/** The name and description of a group. What was typed stays when it cannot be saved. */
export function GroupDialog({ group, close }: GroupDialogProps) {
  const t = useTexts('groups');
  const parts = useTexts('parts');
  const site = useSite();
  const gatehouse = useGatehouse();
  const client = useQueryClient();
  const form = useForm({
    initialValues: { name: group?.name ?? '', description: group?.description ?? '' },
    validate: { name: isNotEmpty(t('nameMissing')) },
  });
  const saving = useMutation({
    mutationFn: ({ name, description }: typeof form.values) => {
      const values = { name: name.trim(), description: description.trim() || null };
      return group ? gatehouse.accessGroups.update(group.id, values) : gatehouse.accessGroups.create(values);
    },
    onSuccess: async ({ name }) => {
      close();
      notifications.show({ message: group ? t('saved') : t('created', { name }) });
      await client.invalidateQueries({ queryKey: [site.id, 'groups'] });
    },
  });

  return (
    <Modal opened onClose={close} title={group ? t('editTitle', { name: group.name }) : t('createTitle')}>
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
          {saving.error && <ErrorNote error={saving.error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {parts('cancel')}
            </Button>
            <Button type="submit" loading={saving.isPending}>
              {group ? parts('save') : t('createIt')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
