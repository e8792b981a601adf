import { Skeleton, Stack } from '@mantine/core';
import { Suspense } from 'react';
import { ErrorNote } from '../../components/feedback/error-note.tsx';
import { latePart } from '../../components/late-part.ts';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { OverviewSkeleton, RowsSkeleton } from '../../components/layout/skeletons.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useOverview } from '../../queries/overview.ts';
import { useMay, useSite } from '../../session/site.ts';
import { EmailNotes } from './email-notes.tsx';
import { JoinRequestsNote } from './join-requests-note.tsx';
import { Numbers } from './numbers.tsx';
import { SetUpSteps } from './set-up-steps.tsx';
import { WebhookNotes } from './webhook-notes.tsx';
import { WithheldNote } from './withheld-note.tsx';

// Content further down the page is loaded later.
const DayCharts = latePart(async () => (await import('./day-charts.tsx')).DayCharts);
const NewestEvents = latePart(async () => (await import('./newest-events.tsx')).NewestEvents);

/** The overview of a site: remaining setup steps, statistics and recent activity. */
export function OverviewPage() {
  const t = useTexts('overview');
  const { title } = useSite();
  const mayReadEvents = useMay('events:read');
  const { data, error, refetch } = useOverview();
  return (
    <>
      <PageHeader title={t('title')} description={title} />
      <Stack gap="lg">
        {error && !data && <ErrorNote error={error} retry={refetch} />}
        {!data && !error && <OverviewSkeleton />}
        {data && (
          <>
            <EmailNotes overview={data} />
            <WithheldNote overview={data} />
            <WebhookNotes overview={data} />
            <JoinRequestsNote overview={data} />
            <SetUpSteps setUp={data.setUp} />
            <Numbers overview={data} />
            <Suspense fallback={<Skeleton height={240} radius="lg" />}>
              <DayCharts overview={data} />
            </Suspense>
          </>
        )}
        {mayReadEvents && (
          <Suspense fallback={<RowsSkeleton />}>
            <NewestEvents />
          </Suspense>
        )}
      </Stack>
    </>
  );
}
