import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Notice } from '../../../components/feedback/notice.tsx';
import { IconMailPause } from '../../../components/icons/icons.ts';
import { ActionButton } from '../../../components/layout/action-button.tsx';
import { DialogFooter } from '../../../components/layout/dialog.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { useEmailWaits } from '../../../queries/overview.ts';
import { useSite } from '../../../session/site.ts';
import { InvitationLanguage } from './invitation-language.tsx';
import { useLacksDomain } from './use-may-invite.ts';

interface InviteQuestionProps {
  count: number;
  send: (language: string | null) => void;
  close: () => void;
}

/** Asks before so many people get an email. */
export function InviteQuestion({ count, send, close }: InviteQuestionProps) {
  const t = useTexts('add');
  const common = useTexts('common');
  const { title } = useSite();
  const waits = useEmailWaits();
  const lacksDomain = useLacksDomain();
  const [language, choose] = useState<string | null>(null);
  return (
    <Stack>
      <Text>{t('invite.text', { count, site: title })}</Text>
      <InvitationLanguage language={language} choose={choose} />
      {(lacksDomain || waits) && (
        <Notice state="attention" icon={IconMailPause}>
          {t(lacksDomain ? 'invite.noDomain' : 'invite.waits')}
        </Notice>
      )}
      <DialogFooter>
        <ActionButton label={common('cancel')} onClick={close} data-autofocus />
        <Button disabled={lacksDomain} onClick={() => send(language)}>
          {t('invite.send', { count })}
        </Button>
      </DialogFooter>
    </Stack>
  );
}
