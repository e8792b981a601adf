import type { Webhook } from '@gatehouse/client';
import { Group, Progress, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Notice } from '../../components/feedback/notice.tsx';
import { IconRefresh } from '../../components/icons/icons.ts';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { passFocusOn } from '../../hooks/focus.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useMay } from '../../session/site.ts';
import { useEnabling } from './use-enabling.ts';

interface StateNoteProps {
  webhook: Webhook;
  /** Called when it was enabled after its attempts had failed, with the time since when. */
  enabled: (failingSince: string) => void;
}

/** What someone has to do about the webhook, and how far events were sent again. */
export function StateNote({ webhook, enabled }: StateNoteProps) {
  const { status, disabledReason } = webhook;
  return (
    <>
      {status === 'failing' && <FailingNote webhook={webhook} />}
      {status === 'disabled' && disabledReason !== 'request' && (
        <StoppedNote webhook={webhook} enabled={enabled} />
      )}
      {webhook.replay && <ReplayNote replay={webhook.replay} />}
    </>
  );
}

function FailingNote({ webhook: { failingSince, nextAttemptAt } }: { webhook: Webhook }) {
  const t = useTexts('webhooks');
  return (
    <Note
      title={t.rich('health.failing', { time: failingSince && <TimeText at={failingSince} as="clock" /> })}
    >
      {nextAttemptAt && <span>{t.rich('failingNext', { time: <TimeText at={nextAttemptAt} /> })}</span>}
      <span>{t('failingText')}</span>
    </Note>
  );
}

function StoppedNote({ webhook, enabled }: StateNoteProps) {
  const t = useTexts('webhooks');
  const mayWrite = useMay('webhooks:write', 'events:read');
  const { enable } = useEnabling(webhook, enabled);
  return (
    <Note title={t(webhook.disabledReason === 'gone' ? 'health.gone' : 'health.gaveUp')}>
      <span>{t('stoppedText')}</span>
      {mayWrite && (
        <Group ref={passFocusOn}>
          <ActionButton label={t('enable')} size="xs" onClick={enable} />
        </Group>
      )}
    </Note>
  );
}

function Note({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <Notice state="bad" title={title}>
      <Stack gap="xs">{children}</Stack>
    </Notice>
  );
}

function ReplayNote({ replay: { since, until, percent } }: { replay: NonNullable<Webhook['replay']> }) {
  const t = useTexts('webhooks');
  return (
    <Notice state="neutral" icon={IconRefresh} title={t('replaying')}>
      <Stack gap="xs">
        <span>
          {t.rich('replayingText', {
            since: <TimeText at={since} as="full" />,
            until: <TimeText at={until} as="full" />,
            percent,
          })}
        </span>
        <Progress value={percent} aria-label={t('replaying')} />
      </Stack>
    </Notice>
  );
}
