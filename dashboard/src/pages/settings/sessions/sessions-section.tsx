import { maxSessionLimit } from '@gatehouse/contract/limits';
import { NumberInput, Stack, Switch } from '@mantine/core';
import { useTexts } from '../../../languages/texts.tsx';
import { SectionForm } from '../form/section-form.tsx';
import { sessionsSection } from './sessions-values.ts';

/** How many sessions a member may have, and whether members create access tokens. */
export function SessionsSection() {
  const t = useTexts('settings');
  return (
    <SectionForm section={sessionsSection} label={t('section.sessions')}>
      {(form) => (
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
            maw="24rem"
          />
          <Switch
            {...form.getInputProps('membersCreateTokens', { type: 'checkbox' })}
            label={t('membersCreateTokens')}
            description={t('membersCreateTokensHelp')}
          />
        </Stack>
      )}
    </SectionForm>
  );
}
