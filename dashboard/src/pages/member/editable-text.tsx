import { Button, Group, TextInput } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { FormErrorNote } from '../../components/feedback/error-note.tsx';
import { IconPencil } from '../../components/icons/icons.ts';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { Hint } from '../../components/layout/hint.tsx';
import { IconAction } from '../../components/layout/icon-action.tsx';
import { focusIfLost } from '../../hooks/focus.ts';
import { useShortcuts } from '../../hooks/shortcuts/use-shortcuts.ts';
import { useUnsavedWarning } from '../../hooks/use-unsaved-warning.ts';
import { useTexts } from '../../languages/texts.tsx';

/** Why a value was rejected, as a sentence. */
export interface ValueError {
  sentence: string;
  error: unknown;
}

/** Resolves to whether the value was saved, or why it was rejected. Otherwise the input stays. */
type Save = (value: string) => Promise<boolean | ValueError>;

interface TextFieldProps {
  label: string;
  value: string;
  type?: 'text' | 'email';
  maxLength: number;
  save: Save;
}

interface EditableTextProps extends TextFieldProps {
  /** Shown if there is no value. */
  empty: string;
  /** The keys that begin to edit it. */
  keys?: string;
  mayChange: boolean;
}

/** A text that can be edited in place. */
export function EditableText({ empty, mayChange, keys, ...field }: EditableTextProps) {
  const t = useTexts('member');
  const { value, label } = field;
  const [editing, setEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const edit = () => setEditing(true);
  useShortcuts(
    keys === undefined ? [] : [{ keys, name: 'edit', run: edit, isOff: !mayChange || editing }],
    'page',
  );
  useDidUpdate(() => focusIfLost(button.current), [editing]);
  if (editing) return <TextField {...field} close={() => setEditing(false)} />;
  return (
    <Group gap="xs" wrap="nowrap">
      {value === '' ? <Hint span>{empty}</Hint> : <span>{value}</span>}
      {mayChange && (
        <IconAction
          icon={IconPencil}
          ref={button}
          label={t('change', { what: label })}
          aria-keyshortcuts={keys}
          onClick={edit}
        />
      )}
    </Group>
  );
}

function TextField(props: TextFieldProps & { close: () => void }) {
  const { label, type = 'text', maxLength, close, ...saved } = props;
  const common = useTexts('common');
  const { typed, change, submit, saving, rejection } = useTyped(saved, close);
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
          value={typed}
          readOnly={saving}
          error={rejection?.sentence}
          onChange={(event) => change(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && !saving) close();
          }}
        />
        <Button type="submit" size="xs" loading={saving}>
          {common('save')}
        </Button>
        <ActionButton label={common('cancel')} size="xs" disabled={saving} onClick={close} />
      </Group>
      {rejection && <FormErrorNote failure={{ error: rejection.error, isAtFields: true }} />}
    </form>
  );
}

/** The input that replaces the value, and the function that saves it. */
function useTyped(saved: Pick<TextFieldProps, 'value' | 'save'>, close: () => void) {
  // Edits that started on one version must not overwrite another one, so the function that saves them is stored as
  // well.
  const [{ save }] = useState(saved);
  const [typed, setTyped] = useState(saved.value);
  const [saving, setSaving] = useState(false);
  const [rejection, setRejection] = useState<ValueError | null>(null);
  const unsaved = typed.trim() !== saved.value;
  useUnsavedWarning(unsaved);

  async function submit(): Promise<void> {
    if (!unsaved) return close();
    setSaving(true);
    const outcome = await save(typed.trim());
    setSaving(false);
    if (outcome === true) close();
    else if (outcome) setRejection(outcome);
  }

  function change(text: string): void {
    setRejection(null);
    setTyped(text);
  }

  return { typed, change, submit, saving, rejection };
}
