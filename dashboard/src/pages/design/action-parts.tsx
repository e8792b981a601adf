import { Group, Select, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { DialogButtons } from '../../components/forms/dialog-buttons.tsx';
import { IconPlus, IconTrash } from '../../components/icons/icons.ts';
import { KeyCaps } from '../../components/keyboard/key-hint.tsx';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { Card } from '../../components/layout/card.tsx';
import { Dialog } from '../../components/layout/dialog.tsx';
import { Section } from '../../components/layout/section.tsx';
import { FormSkeleton, TableSkeleton } from '../../components/layout/skeletons.tsx';

/** Buttons, fields, a card, a dialog and placeholders. */
export function ActionParts() {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <Section title="Actions and fields">
          <Stack gap="md">
            <Group gap="xs">
              <ActionButton
                variant="filled"
                icon={IconPlus}
                label="Open a dialog"
                onClick={() => setOpen(true)}
              />
              <ActionButton label="Secondary" />
              <ActionButton size="xs" label="Small" />
              <ActionButton color="red" variant="light" icon={IconTrash} label="Delete" />
              <KeyCaps keys="g m" />
            </Group>
            <TextInput label="Name" description="One line that helps." placeholder="Course 2026" />
            <TextInput label="Email" defaultValue="ada@" error="This is not an email address." />
            <Switch label="Open to everyone" defaultChecked />
          </Stack>
        </Section>
        <Section title="Cards and placeholders">
          <Stack gap="md">
            <Card title="Card" description="Only around what is one thing.">
              <Text>A source, a webhook, or what must be decided.</Text>
            </Card>
            <FormSkeleton fields={1} />
            <TableSkeleton rows={2} columns={3} />
          </Stack>
        </Section>
      </SimpleGrid>
      <Dialog opened={isOpen} onClose={close} title="Dialog">
        <Stack>
          <TextInput label="Name" data-autofocus />
          <Select label="Group" data={['Board', 'Coaches']} />
          <DialogButtons cancel={close} submit="Save" />
        </Stack>
      </Dialog>
    </>
  );
}
