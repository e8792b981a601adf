import { ActionIcon, Button, Group, Text, TextInput } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import { useUnsavedWarning } from '../../parts/unsaved.ts';

interface EditableTextProps {
  label: string;
  value: string;
  /** What stands there without a value. */
  empty: string;
  type?: 'text' | 'email';
  maxLength: number;
  mayChange: boolean;
  /** Answers whether it is saved; what was typed stays otherwise. */
  save: (value: string) => Promise<boolean>;
}

/** A text that is changed where it stands. */
export function EditableText({
  label,
  value,
  empty,
  type = 'text',
  maxLength,
  mayChange,
  save,
}: EditableTextProps) {
  const t = useTexts('member');
  const parts = useTexts('parts');
  const [typed, setTyped] = useState<string | null>(null);
  const [saving, setSaving] = useState(false);
  const unsaved = typed !== null && typed.trim() !== value;
  useUnsavedWarning(unsaved);

  async function submit(): Promise<void> {
    if (!unsaved) return setTyped(null);
    setSaving(true);
    if (await save(typed.trim())) setTyped(null);
    setSaving(false);
  }

  if (typed === null) {
    return (
      <Group gap="xs" wrap="nowrap">
        <Text component="span" {...(!value && { c: 'dimmed' })} style={{ overflowWrap: 'anywhere' }}>
          {value || empty}
        </Text>
        {mayChange && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('change', { what: label })}
            onClick={() => setTyped(value)}
          >
            <IconPencil size={16} aria-hidden />
          </ActionIcon>
        )}
      </Group>
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      noValidate
    >
      <Group gap="xs">
        <TextInput
          flex="1 1 12rem"
          aria-label={label}
          type={type}
          maxLength={maxLength}
          autoFocus
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setTyped(null);
          }}
        />
        <Button type="submit" size="xs" loading={saving}>
          {parts('save')}
        </Button>
        <Button variant="default" size="xs" onClick={() => setTyped(null)}>
          {parts('cancel')}
        </Button>
      </Group>
    </form>
  );
}
