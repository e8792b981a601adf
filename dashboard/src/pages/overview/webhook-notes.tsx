import type { Overview } from '@gatehouse/client';
import { Alert, Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconWebhook } from '../../components/icons/icons.ts';
import { TimeText } from '../../components/time-text.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useSite } from '../../session/site.ts';

type FailingWebhook = NonNullable<Overview['failingWebhooks']>[number];

/** The webhooks whose receiver fails, or which were disabled for that; none if the operator may not see them. */
export function WebhookNotes({ overview: { failingWebhooks } }: { overview: Overview }) {
  return failingWebhooks?.map((webhook) => <WebhookNote key={webhook.id} webhook={webhook} />);
}

function WebhookNote({
  webhook: { id, host, description, status, disabledReason, failingSince },
}: {
  webhook: FailingWebhook;
}) {
  const t = useTexts('overview');
  const { slug } = useSite();
  const name = description || host;
  const time = failingSince !== null && <TimeText at={failingSince} as="clock" />;
  const text =
    status === 'failing'
      ? t.rich('webhookFailing', { name, time })
      : t(disabledReason === 'gone' ? 'webhookGone' : 'webhookGaveUp', { name });
  return (
    <Alert variant="light" color="red" icon={<IconWebhook aria-hidden />}>
      <Anchor
        renderRoot={(props) => (
          <Link to="/$site/webhooks/$webhookId" params={{ site: slug, webhookId: id }} {...props} />
        )}
        c="inherit"
        fw={600}
        underline="always"
        style={{ overflowWrap: 'anywhere' }}
      >
        {text}
      </Anchor>
    </Alert>
  );
}
