import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { QueryState } from '../../components/feedback/query-state.tsx';
import { IconUserQuestion } from '../../components/icons/icons.ts';
import { EmptyState } from '../../components/layout/empty-state.tsx';
import { List } from '../../components/layout/list.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { loadTexts, useTexts } from '../../languages/texts.tsx';
import { useJoinRequests } from '../../queries/ways-in/join-requests.ts';
import { type JoinRequestStatus, joinRequestStatuses } from './join-requests-search.ts';
import { PendingRequests } from './pending-requests.tsx';
import { RequestRow } from './request-row.tsx';

// A failed decision is reported later, and should not wait for its texts.
loadTexts('errors').catch(() => {});

/** The people who ask to join or for access, and what was decided. The URL contains the status. */
export function JoinRequestsPage() {
  const t = useTexts('joinRequests');
  const { status = 'pending' } = useSearch({ from: '/$site/join-requests' });
  const navigate = useNavigate({ from: '/$site/join-requests' });
  const show = (next: string | null) =>
    void navigate({
      search: { status: next === 'pending' ? undefined : (next as JoinRequestStatus) },
      replace: true,
    });
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      <Tabs value={status} onChange={show} keepMounted={false}>
        <Tabs.List mb="md">
          {joinRequestStatuses.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {t(`tab.${each}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {joinRequestStatuses.map((each) => (
          <Tabs.Panel key={each} value={each}>
            {each === 'pending' ? <PendingRequests /> : <PastRequests status={each} />}
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}

function PastRequests({ status }: { status: JoinRequestStatus }) {
  const t = useTexts('joinRequests');
  const requests = useJoinRequests(status);
  return (
    <>
      {requests.data && requests.data.length > 0 && (
        <List label={t(`tab.${status}`)}>
          {requests.data.map((request) => (
            <RequestRow key={request.id} request={request} />
          ))}
        </List>
      )}
      {requests.data?.length === 0 && (
        <EmptyState icon={IconUserQuestion} title={t('noneOf')}>
          {t('noneOfText')}
        </EmptyState>
      )}
      <QueryState query={requests} />
    </>
  );
}
