import { maxQueryParameters } from '@gatehouse/contract/rule-paths';
import { Checkbox, Radio, Stack } from '@mantine/core';
import { useTexts } from '../../../languages/texts.tsx';
import type { RuleForm } from './rule-form.ts';
import { WordsField } from './words-field.tsx';

const reaches = ['folder', 'page'] as const;

/** What the rule applies to. */
export function ReachFields({ form }: { form: RuleForm }) {
  const t = useTexts('rules');
  const access = useTexts('access');
  const reach = form.getInputProps('appliesTo');
  return (
    <>
      <Radio.Group
        {...reach}
        onChange={(value) => {
          reach.onChange(value);
          // Whether the path already has a rule depends on it.
          form.clearFieldError('path');
        }}
        label={t('appliesTo')}
      >
        <Stack gap="sm" mt="xs">
          {reaches.map((each) => (
            <Radio key={each} value={each} label={each === 'page' ? access('page') : t(each)} />
          ))}
        </Stack>
      </Radio.Group>
      {form.values.appliesTo === 'page' && (
        <WordsField
          {...form.getInputProps('queryParameters')}
          value={form.values.queryParameters}
          label={t('queryParameters')}
          description={t('queryParametersHelp')}
          maxTags={maxQueryParameters}
        />
      )}
      <Checkbox
        {...form.getInputProps('acceptsTokenInUrl', { type: 'checkbox' })}
        label={t('acceptsTokenInUrl')}
        description={t('acceptsTokenInUrlHelp')}
      />
      {form.values.appliesTo === 'folder' && (
        <Checkbox
          {...form.getInputProps('programPaths', { type: 'checkbox' })}
          label={t('programPaths')}
          description={t('programPathsHelp')}
        />
      )}
      <Checkbox
        {...form.getInputProps('preflights', { type: 'checkbox' })}
        label={t('preflights')}
        description={t('preflightsHelp')}
      />
    </>
  );
}
