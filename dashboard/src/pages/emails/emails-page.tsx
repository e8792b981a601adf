import { Select } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Notice } from '../../components/feedback/notice.tsx';
import { QueryState } from '../../components/feedback/query-state.tsx';
import { IconMail } from '../../components/icons/icons.ts';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { EmptyState } from '../../components/layout/empty-state.tsx';
import { LinkText } from '../../components/layout/links.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { Toolbar } from '../../components/layout/toolbar.tsx';
import { MemberPicker } from '../../components/members/member-picker.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useMemberById } from '../../queries/by-id.ts';
import { useOverview } from '../../queries/overview.ts';
import { useMay } from '../../session/site.ts';
import { EmailDrawer } from './email-drawer.tsx';
import { EmailTable } from './email-table.tsx';
import { useEmails } from './emails-query.ts';
import { type EmailsSearch, emailStates } from './emails-search.ts';

/** The emails with their status. The URL contains the filters and the open email. */
export function EmailsPage() {
  const t = useTexts('emails');
  const search = useSearch({ from: '/$site/emails' });
  const navigate = useNavigate({ from: '/$site/emails' });
  const emails = useEmails(search);
  const { data: overview } = useOverview();
  const change = (changes: Partial<EmailsSearch>) =>
    void navigate({
      search: (before) => ({ ...before, ...changes }),
      replace: !('email' in changes),
      resetScroll: false,
    });
  const filtered = search.status !== undefined || search.memberId !== undefined;

  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      {overview?.setUp.email === false && <NotSentNote />}
      <Filters search={search} change={change} />
      {emails.data && emails.data.length > 0 && (
        <EmailTable emails={emails.data} openId={search.email} open={(email) => change({ email })} />
      )}
      {emails.data?.length === 0 && (
        <EmptyState
          icon={IconMail}
          title={t(filtered ? 'noMatch' : 'empty')}
          action={
            filtered && (
              <ActionButton
                label={t('clear')}
                onClick={() => change({ status: undefined, memberId: undefined })}
              />
            )
          }
        >
          {t(filtered ? 'noMatchText' : 'emptyText')}
        </EmptyState>
      )}
      <QueryState query={emails} />
      <EmailDrawer
        id={search.email}
        close={() => change({ email: undefined })}
        open={(email) => change({ email })}
      />
    </>
  );
}

interface FiltersProps {
  search: EmailsSearch;
  change: (changes: Partial<EmailsSearch>) => void;
}

function Filters({ search, change }: FiltersProps) {
  const t = useTexts('emails');
  const mayPick = useMay('members:read');
  const member = useMemberById(search.memberId);
  return (
    <search aria-label={t('filters')}>
      <Toolbar>
        <Select
          size="xs"
          aria-label={t('state')}
          placeholder={t('anyState')}
          value={search.status ?? null}
          onChange={(state) => change({ status: (state ?? undefined) as EmailsSearch['status'] })}
          data={emailStates.map((state) => ({ value: state, label: t(`state.${state}`) }))}
          clearable
        />
        {mayPick && (
          <MemberPicker
            size="xs"
            aria-label={t('recipient')}
            placeholder={t('anyMember')}
            nothingFound={t('noMemberFound')}
            member={member ?? null}
            choose={(chosen) => change({ memberId: chosen?.id })}
          />
        )}
      </Toolbar>
    </search>
  );
}

/** Explains that emails are not sent, because no mail server is connected. */
function NotSentNote() {
  const t = useTexts('emails');
  const mayConnect = useMay('site:write');
  return (
    <Notice state="attention" title={t('notSentTitle')} mb="md">
      {t('notSentText')}{' '}
      {mayConnect && (
        <LinkText
          from="/$site"
          to="/$site/settings/$section"
          params={{ section: 'mail' }}
          inherit
          underline="always"
        >
          {t('notSentLink')}
        </LinkText>
      )}
    </Notice>
  );
}
