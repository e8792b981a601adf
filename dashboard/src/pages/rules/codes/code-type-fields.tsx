import { Radio, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTexts } from '../../../languages/texts.tsx';
import { type CodeValues, codeTypes } from './code-values.ts';

/** How a code comes about: Gatehouse generates it, or the operator chooses it. */
export function CodeTypeFields<Values extends CodeValues>({ form }: { form: UseFormReturnType<Values> }) {
  const t = useTexts('codes');
  return (
    <>
      <Radio.Group {...form.getInputProps('type')} label={t('type')}>
        <Stack gap="sm" mt="xs">
          {codeTypes.map((type) => (
            <Radio key={type} value={type} label={t(`type.${type}`)} description={t(`typeHelp.${type}`)} />
          ))}
        </Stack>
      </Radio.Group>
      {form.values.type === 'chosen' && (
        <TextInput
          {...form.getInputProps('code')}
          label={t('ownCode')}
          description={t('ownCodeHelp')}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
      )}
    </>
  );
}
