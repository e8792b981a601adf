import type { Mail } from '@gatehouse/client';
import { Alert, Button, Code, Select, Text, UnstyledButton } from '@mantine/core';
import { IconInfoCircle, IconMail } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTexts } from '../../languages/texts.tsx';
import { shownAddress } from '../../parts/address.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { useMemberById } from '../../parts/events/names.ts';
import { MemberPicker } from '../../parts/member-picker.tsx';
import { More } from '../../parts/more.tsx';
import { useOverview } from '../../parts/overview.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { RowsSkeleton } from '../../parts/skeletons.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { useMay } from '../../session/site.ts';
import { MailDrawer } from './mail-drawer.tsx';
import { MailState } from './mail-state.tsx';
import classes from './mails.module.css';
import { useMails } from './mails-query.ts';
import { type MailsSearch, mailStates } from './mails-search.ts';

/** What was written to whom, and what became of it. The address holds the filters and the open mail. */
export function MailsPage() {
  const t = useTexts('mails');
  const search = useSearch({ from: '/$site/mails' });
  const navigate = useNavigate({ from: '/$site/mails' });
  const mails = useMails(search);
  const { data: overview } = useOverview();
  const change = (changes: Partial<MailsSearch>) =>
    void navigate({
      search: (before) => ({ ...before, ...changes }),
      replace: !('mail' in changes),
      resetScroll: false,
    });
  const filtered = search.state !== undefined || search.memberId !== undefined;

  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      <Filters search={search} change={change} />
      {overview?.setUp.mail === false && <KeptNote />}
      {mails.data && mails.data.length > 0 && (
        <ul className={classes.rows} aria-label={t('title')}>
          {mails.data.map((mail) => (
            <li key={mail.id}>
              <MailRow mail={mail} open={() => change({ mail: mail.id })} />
            </li>
          ))}
        </ul>
      )}
      {mails.data?.length === 0 && (
        <EmptyState
          icon={IconMail}
          title={t(filtered ? 'noMatch' : 'empty')}
          action={
            filtered && (
              <Button variant="default" onClick={() => change({ state: undefined, memberId: undefined })}>
                {t('clear')}
              </Button>
            )
          }
        >
          {!filtered && t('emptyText')}
        </EmptyState>
      )}
      {mails.isPending && <RowsSkeleton />}
      {mails.error && (
        <ErrorNote error={mails.error} retry={() => (mails.data ? mails.fetchNextPage() : mails.refetch())} />
      )}
      {mails.hasNextPage && !mails.error && (
        <More loading={mails.isFetchingNextPage} load={mails.fetchNextPage} />
      )}
      {search.mail && <MailDrawer id={search.mail} close={() => change({ mail: undefined })} />}
    </>
  );
}

interface FiltersProps {
  search: MailsSearch;
  change: (changes: Partial<MailsSearch>) => void;
}

function Filters({ search, change }: FiltersProps) {
  const t = useTexts('mails');
  const mayPick = useMay('members:read');
  const member = useMemberById(search.memberId);
  return (
    <search className={classes.filters} aria-label={t('filters')}>
      <Select
        label={t('state')}
        placeholder={t('anyState')}
        value={search.state ?? null}
        onChange={(state) => change({ state: (state ?? undefined) as MailsSearch['state'] })}
        data={mailStates.map((state) => ({ value: state, label: t(`state.${state}`) }))}
        clearable
      />
      {mayPick && (
        <MemberPicker
          label={t('recipient')}
          placeholder={t('anyMember')}
          nothingFound={t('nobodyFound')}
          member={member ?? null}
          choose={(chosen) => change({ memberId: chosen?.id })}
        />
      )}
    </search>
  );
}

/** Nobody should wait for mails that do not leave. */
function KeptNote() {
  const t = useTexts('mails');
  return (
    <Alert variant="light" icon={<IconInfoCircle aria-hidden />} title={t('keptTitle')} mb="md">
      {t.rich('keptText', {
        smtp: <Code>GATEHOUSE_SMTP_URL</Code>,
        from: <Code>GATEHOUSE_MAIL_FROM</Code>,
      })}
    </Alert>
  );
}

function MailRow({ mail: { subject, recipient, state, createdAt, lastError }, open }: MailRowProps) {
  return (
    <UnstyledButton className={classes.row!} onClick={open}>
      <span className={classes.said}>
        <Text component="span" display="block" fw={500}>
          {subject}
        </Text>
        <Text component="span" display="block" size="xs" c="dimmed">
          {[shownAddress(recipient), lastError].filter(Boolean).join(' · ')}
        </Text>
      </span>
      <MailState state={state} />
      <Text component="span" size="xs" c="dimmed">
        <TimeText at={createdAt} />
      </Text>
    </UnstyledButton>
  );
}

interface MailRowProps {
  mail: Mail;
  open: () => void;
}
