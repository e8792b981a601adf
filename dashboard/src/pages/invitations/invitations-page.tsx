import { Select } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { QueryState } from '../../components/feedback/query-state.tsx';
import { IconFilterOff, IconPlus, IconTicket } from '../../components/icons/icons.ts';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { EmptyState } from '../../components/layout/empty-state.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { Contact } from '../../components/people/contact.tsx';
import { usePageCommand } from '../../hooks/use-page-command.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useInvitations } from '../../queries/ways-in/invitations.ts';
import { useMay } from '../../session/site.ts';
import { InviteDialog } from './dialog/invite-dialog.tsx';
import { InvitationTable } from './invitation-table.tsx';
import { type InvitationsSearch, invitationStatuses } from './invitations-search.ts';

/** The invitations of the site, newest first. The URL contains the filter. */
export function InvitationsPage() {
  const t = useTexts('invitations');
  const { status } = useSearch({ from: '/$site/invitations' });
  const navigate = useNavigate({ from: '/$site/invitations' });
  const invitations = useInvitations(status);
  const [opened, { open, close }] = useDisclosure();
  usePageCommand('new-invitation', open);
  const mayInvite = useMay('invitations:write', 'members:write');
  const invite = mayInvite && (
    <ActionButton variant="filled" icon={IconPlus} label={t('invite')} onClick={open} />
  );
  const filter = (next: InvitationsSearch['status']) =>
    void navigate({ search: { status: next }, replace: true, resetScroll: false });
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} actions={invite} />
      <StatusFilter status={status} filter={filter} />
      {invitations.data && invitations.data.length > 0 && <InvitationTable invitations={invitations.data} />}
      {invitations.data?.length === 0 &&
        (status === undefined ? (
          <EmptyState
            icon={IconTicket}
            title={t('empty')}
            action={invite || <Contact needs={['invitations:write', 'members:write']} isReadOnly />}
          >
            {t('emptyText')}
          </EmptyState>
        ) : (
          <EmptyState
            icon={IconFilterOff}
            title={t('noMatch')}
            action={<ActionButton label={t('showAll')} onClick={() => filter(undefined)} />}
          >
            {t('noMatchText')}
          </EmptyState>
        ))}
      <QueryState query={invitations} />
      <InviteDialog opened={opened} close={close} />
    </>
  );
}

interface StatusFilterProps {
  status: InvitationsSearch['status'];
  filter: (status: InvitationsSearch['status']) => void;
}

function StatusFilter({ status, filter }: StatusFilterProps) {
  const t = useTexts('invitations');
  return (
    <search>
      <Select
        size="xs"
        aria-label={t('status')}
        placeholder={t('anyStatus')}
        value={status ?? null}
        onChange={(next) => filter((next ?? undefined) as InvitationsSearch['status'])}
        data={invitationStatuses.map((each) => ({ value: each, label: t(`state.${each}`) }))}
        clearable
        maw="14rem"
        mb="md"
      />
    </search>
  );
}
