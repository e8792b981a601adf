import type { Overview } from '@gatehouse/client';
import { Notice } from '../../components/feedback/notice.tsx';
import { IconMailExclamation, IconMailFast } from '../../components/icons/icons.ts';
import { LinkText } from '../../components/layout/links.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useMay } from '../../session/site.ts';

/** A warning about emails that were not delivered: members who wait for them cannot log in. */
export function EmailNotes({ overview: { emailsWaiting, emailsFailed } }: { overview: Overview }) {
  return (
    <>
      {emailsFailed > 0 && <EmailNote status="failed" count={emailsFailed} />}
      {emailsWaiting > 0 && <EmailNote status="waiting" count={emailsWaiting} />}
    </>
  );
}

function EmailNote({ status, count }: { status: 'failed' | 'waiting'; count: number }) {
  const t = useTexts('overview');
  const mayRead = useMay('emails:read');
  const Icon = status === 'failed' ? IconMailExclamation : IconMailFast;
  const text = t(status === 'failed' ? 'emailsFailed' : 'emailsWaiting', { count });
  return (
    <Notice state={status === 'failed' ? 'bad' : 'neutral'} icon={Icon}>
      {mayRead ? (
        <LinkText
          from="/$site"
          to="/$site/emails"
          search={{ status }}
          c="inherit"
          fw={600}
          underline="always"
        >
          {text}
        </LinkText>
      ) : (
        text
      )}
    </Notice>
  );
}
