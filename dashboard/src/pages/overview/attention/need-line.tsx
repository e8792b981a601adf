import { endsSoonDays } from '@gatehouse/contract/limits';
import { ServerReply } from '../../../components/emails/server-reply.tsx';
import { LinkButton } from '../../../components/layout/links.tsx';
import { AttentionRow } from '../../../components/page/attention-list.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { useMay } from '../../../session/site.ts';
import { FailedEmailLine } from './failed-email-line.tsx';
import type { Need } from './needs.ts';
import { SourceLine } from './source-line.tsx';
import { WebhookLine } from './webhook-line.tsx';
import { WithheldLine } from './withheld-line.tsx';

/** What needs a person, and why, with what can be done about it. */
export function NeedLine({ need }: { need: Need }) {
  switch (need.type) {
    case 'email-failed':
      return <FailedEmailLine email={need.email} />;
    case 'webhook':
      return <WebhookLine webhook={need.webhook} />;
    case 'source':
      return <SourceLine source={need.source} />;
    case 'emails-withheld':
      return <WithheldLine withheld={need.withheld} />;
    case 'join-requests':
      return <JoinRequestsLine count={need.count} />;
    case 'memberships':
      return <MembershipsLine count={need.count} />;
    case 'emails-delayed':
    case 'no-mail-server':
      return <WaitingEmailsLine {...need} />;
  }
}

function JoinRequestsLine({ count }: { count: number }) {
  const t = useTexts('attention');
  const mayDecide = useMay('join-requests:write');
  return (
    <AttentionRow
      state="attention"
      title={t('joinRequests', { count })}
      action={
        <LinkButton size="compact-sm" variant="default" from="/$site" to="/$site/join-requests">
          {t(mayDecide ? 'decide' : 'seeRequests')}
        </LinkButton>
      }
    />
  );
}

function MembershipsLine({ count }: { count: number }) {
  const t = useTexts('attention');
  const mayRead = useMay('members:read');
  return (
    <AttentionRow
      state="attention"
      title={t('memberships', { count, days: endsSoonDays })}
      action={
        mayRead && (
          <LinkButton
            size="compact-sm"
            variant="default"
            from="/$site"
            to="/$site/members"
            search={{ status: 'active', ends: endsSoonDays }}
          >
            {t('seeMembers')}
          </LinkButton>
        )
      }
    />
  );
}

interface WaitingEmailsLineProps {
  count: number;
  /** What the mail server said; left out if there is none. */
  error?: string;
}

function WaitingEmailsLine({ count, error }: WaitingEmailsLineProps) {
  const t = useTexts('attention');
  const mayRead = useMay('emails:read');
  const mayConnect = useMay('site:write') && error === undefined;
  return (
    <AttentionRow
      state={error === undefined ? 'attention' : 'bad'}
      title={t(error === undefined ? 'noMailServer' : 'emailsDelayed', { count })}
      why={error !== undefined && <ServerReply reply={error} />}
      action={
        mayConnect ? (
          <LinkButton
            size="compact-sm"
            variant="default"
            from="/$site"
            to="/$site/settings/$section"
            params={{ section: 'mail' }}
          >
            {t('mailServer')}
          </LinkButton>
        ) : (
          mayRead && (
            <LinkButton
              size="compact-sm"
              variant="default"
              from="/$site"
              to="/$site/emails"
              search={{ status: 'waiting' }}
            >
              {t('seeEmails')}
            </LinkButton>
          )
        )
      }
    />
  );
}
