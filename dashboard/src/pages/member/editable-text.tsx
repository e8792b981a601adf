import { ActionIcon, Button, Group, Text, TextInput } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import { FormErrorNote } from '../../parts/error-note.tsx';
import { useUnsavedWarning } from '../../parts/unsaved.ts';

/** Why a value was refused, in a sentence. */
export interface ValueError {
  sentence: string;
  error: unknown;
}

interface EditableTextProps {
  label: string;
  value: string;
  /** What stands there without a value. */
  empty: string;
  type?: 'text' | 'email';
  maxLength: number;
  mayChange: boolean;
  /** Answers whether it is saved, or why the value was refused; what was typed stays otherwise. */
  save: (value: string) => Promise<boolean | ValueError>;
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
  // What was begun on one version is saved over no other, so the way to save it is kept as well.
  const [begun, begin] = useState<{ typed: string; save: typeof save } | null>(null);
  const [saving, setSaving] = useState(false);
  const [refused, setRefused] = useState<ValueError | null>(null);
  const unsaved = begun !== null && begun.typed.trim() !== value;
  useUnsavedWarning(unsaved);

  async function submit(): Promise<void> {
    if (!unsaved) return begin(null);
    setSaving(true);
    const outcome = await begun.save(begun.typed.trim());
    setSaving(false);
    if (outcome === true) begin(null);
    else if (outcome) setRefused(outcome);
  }

  function change(next: typeof begun): void {
    setRefused(null);
    begin(next);
  }

  if (begun === null) {
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
            onClick={() => begin({ typed: value, save })}
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
      <Group gap="xs" align="flex-start">
        <TextInput
          flex="1 1 12rem"
          aria-label={label}
          type={type}
          maxLength={maxLength}
          autoFocus
          value={begun.typed}
          readOnly={saving}
          error={refused?.sentence}
          onChange={(event) => change({ ...begun, typed: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && !saving) change(null);
          }}
        />
        <Button type="submit" size="xs" loading={saving}>
          {parts('save')}
        </Button>
        <Button variant="default" size="xs" disabled={saving} onClick={() => change(null)}>
          {parts('cancel')}
        </Button>
      </Group>
      {refused && <FormErrorNote failure={{ error: refused.error, isAtFields: true }} />}
    </form>
  );
}
