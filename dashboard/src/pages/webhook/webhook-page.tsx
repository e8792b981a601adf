import type { Webhook } from '@gatehouse/client';
import { Group, Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { ObjectPage } from '../../components/feedback/object-page.tsx';
import { IconWebhook } from '../../components/icons/icons.ts';
import { CopyId } from '../../components/layout/copy-id.tsx';
import { Dialog } from '../../components/layout/dialog.tsx';
import { Hint } from '../../components/layout/hint.tsx';
import { BackLink } from '../../components/layout/links.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { WebhookAddress } from '../../components/webhooks/webhook-address.tsx';
import { WebhookHealth } from '../../components/webhooks/webhook-health.tsx';
import { webhookName } from '../../components/webhooks/webhook-name.ts';
import { useLastSuccess, useWebhook } from '../../components/webhooks/webhook-queries.ts';
import { stateOfWebhook, WebhookStateText } from '../../components/webhooks/webhook-state.tsx';
import { useTexts } from '../../languages/texts.tsx';
import type { Version } from '../../queries/version.ts';
import { useMay } from '../../session/site.ts';
import { DeliveriesSection } from './deliveries/deliveries-section.tsx';
import { ReplayForm } from './replay-form.tsx';
import { SettingsSection } from './settings-section.tsx';
import { StateNote } from './state-note.tsx';
import { WebhookActions } from './webhook-actions.tsx';

/** One webhook: its state, its deliveries and its settings. */
export function WebhookPage() {
  const t = useTexts('webhooks');
  const { webhookId } = useParams({ from: '/$site/webhooks/$webhookId' });
  const query = useWebhook(webhookId);
  return (
    <ObjectPage
      query={query}
      back={<BackLink to="/$site/webhooks">{t('back')}</BackLink>}
      missing={{
        code: 'webhook_not_found',
        icon: IconWebhook,
        title: t('notFound'),
        text: t('notFoundText'),
      }}
    >
      {(saved) => <FoundWebhook key={webhookId} saved={saved} />}
    </ObjectPage>
  );
}

function FoundWebhook({ saved }: { saved: Version<Webhook> }) {
  const t = useTexts('webhooks');
  const webhook = saved.data;
  const mayWrite = useMay('webhooks:write', 'events:read');
  // The beginning of the time whose events are to be sent again; empty if it is not known, null while no one asks.
  const [missedSince, setMissedSince] = useState<string | null>(null);
  return (
    <>
      <PageHeader
        title={webhookName(webhook)}
        description={<WebhookAddress url={webhook.url} />}
        back={<BackLink to="/$site/webhooks">{t('back')}</BackLink>}
        actions={mayWrite && <WebhookActions webhook={webhook} replay={() => setMissedSince('')} />}
      />
      <Stack gap="lg">
        <State webhook={webhook} />
        <StateNote webhook={webhook} enabled={setMissedSince} />
        <DeliveriesSection webhook={webhook} />
        <SettingsSection saved={saved} enabled={setMissedSince} />
      </Stack>
      <Dialog
        opened={missedSince !== null}
        onClose={() => setMissedSince(null)}
        title={t('replayTitle')}
        size="lg"
      >
        {missedSince !== null && (
          <ReplayForm webhook={webhook} missedSince={missedSince} close={() => setMissedSince(null)} />
        )}
      </Dialog>
    </>
  );
}

function State({ webhook }: { webhook: Webhook }) {
  const t = useTexts('webhooks');
  const lastSuccess = useLastSuccess(webhook.id);
  if (lastSuccess === undefined) return null;
  const state = stateOfWebhook(webhook, lastSuccess);
  // A note below says more.
  const isExplained = state === 'failing' || state === 'stopped';
  return (
    <Group gap="sm">
      <WebhookStateText state={state} />
      {!isExplained && (
        <Hint>
          <WebhookHealth webhook={webhook} lastSuccess={lastSuccess} />
        </Hint>
      )}
      <CopyId id={webhook.id} label={t('id')} />
    </Group>
  );
}
