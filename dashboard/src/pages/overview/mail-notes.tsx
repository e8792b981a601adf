import type { Overview } from '@gatehouse/client';
import { Alert, Anchor } from '@mantine/core';
import { IconMailExclamation, IconMailFast } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../languages/texts.tsx';
import { useMay, useSite } from '../../session/site.ts';

/** Mails that have not arrived: nobody who waits for one can log in. */
export function MailNotes({ overview: { mailsWaiting, mailsFailed } }: { overview: Overview }) {
  return (
    <>
      {mailsFailed > 0 && <MailNote state="failed" count={mailsFailed} />}
      {mailsWaiting > 0 && <MailNote state="waiting" count={mailsWaiting} />}
    </>
  );
}

function MailNote({ state, count }: { state: 'failed' | 'waiting'; count: number }) {
  const t = useTexts('overview');
  const { slug } = useSite();
  const mayRead = useMay('mails:read');
  const Icon = state === 'failed' ? IconMailExclamation : IconMailFast;
  const text = t(state === 'failed' ? 'mailsFailed' : 'mailsWaiting', { count });
  return (
    <Alert variant="light" color={state === 'failed' ? 'red' : 'gray'} icon={<Icon aria-hidden />}>
      {mayRead ? (
        <Anchor
          renderRoot={(props) => (
            <Link to="/$site/mails" params={{ site: slug }} search={{ state }} {...props} />
          )}
          c="inherit"
          fw={600}
          underline="always"
        >
          {text}
        </Anchor>
      ) : (
        text
      )}
    </Alert>
  );
}
