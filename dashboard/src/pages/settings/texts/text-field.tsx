import { maxEmailTextLength, maxGreetingLength } from '@gatehouse/contract/limits';
import { lengthOf } from '@gatehouse/contract/names';
import { Box, Group, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { QuietButton } from '../../../components/layout/action-button.tsx';
import { Hint } from '../../../components/layout/hint.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import type { TextName } from './texts-values.ts';

interface TextFieldProps {
  name: TextName;
  /** What Gatehouse writes instead of an empty text. */
  placeholder: string;
  /** The language of the text. */
  language: string;
  /** Called when it gets the focus. */
  edit: () => void;
  /** The properties that the form gives the field. */
  input: { value?: string; onChange: (change: unknown) => void; error?: ReactNode };
}

/** A field for a text of emails, with how long it is and a button that sets the default again. */
export function TextField({ name, placeholder, language, edit, input }: TextFieldProps) {
  const t = useTexts('settings');
  const { value = '', onChange } = input;
  const max = name === 'greeting' ? maxGreetingLength : maxEmailTextLength;
  const shared = {
    ...input,
    lang: language,
    label: t(`text.${name}`),
    description: t(`textHelp.${name}`),
    placeholder,
  };
  return (
    <Box onFocus={edit}>
      {name === 'greeting' ? (
        <TextInput {...shared} />
      ) : (
        <Textarea {...shared} autosize minRows={2} maxRows={10} />
      )}
      <Group justify="space-between" gap="xs" mih={30}>
        <Hint size="xs">{t('textLength', { count: lengthOf(value.trim()), max })}</Hint>
        {value !== '' && <QuietButton label={t('textReset')} onClick={() => onChange('')} />}
      </Group>
    </Box>
  );
}
