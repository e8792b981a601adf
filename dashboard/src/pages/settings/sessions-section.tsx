import { maxSessionLimit } from '@gatehouse/contract/limits';
import { NumberInput, Stack, Switch } from '@mantine/core';
import { Section } from '../../components/layout/section.tsx';
import { useTexts } from '../../languages/texts.tsx';
import type { SettingsForm } from './settings-form.ts';

/** How many sessions a member may have, and whether members create access tokens. */
export function SessionsSection({ form }: { form: SettingsForm }) {
  const t = useTexts('settings');
  return (
    <Section title={t('sessions')} description={t('sessionsHelp')}>
      <Stack>
        <NumberInput
          {...form.getInputProps('maxSessions')}
          label={t('maxSessions')}
          description={t('maxSessionsHelp')}
          min={1}
          max={maxSessionLimit}
          allowDecimal={false}
          allowNegative={false}
          clampBehavior="none"
          maw="16rem"
        />
        <Switch
          {...form.getInputProps('membersCreateTokens', { type: 'checkbox' })}
          label={t('membersCreateTokens')}
          description={t('membersCreateTokensHelp')}
        />
      </Stack>
    </Section>
  );
}
