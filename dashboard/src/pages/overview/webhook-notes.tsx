import type { Overview } from '@gatehouse/client';
import { Notice } from '../../components/feedback/notice.tsx';
import { IconWebhook } from '../../components/icons/icons.ts';
import { LinkText } from '../../components/layout/links.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { useTexts } from '../../languages/texts.tsx';

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
  const name = description || host;
  const time = failingSince !== null && <TimeText at={failingSince} as="clock" />;
  const text =
    status === 'failing'
      ? t.rich('webhookFailing', { name, time })
      : t(disabledReason === 'gone' ? 'webhookGone' : 'webhookGaveUp', { name });
  return (
    <Notice state="bad" icon={IconWebhook}>
      <LinkText
        from="/$site"
        to="/$site/webhooks/$webhookId"
        params={{ webhookId: id }}
        c="inherit"
        fw={600}
        underline="always"
      >
        {text}
      </LinkText>
    </Notice>
  );
}
