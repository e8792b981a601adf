import { Skeleton, Stack } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { useOverview } from '../../parts/overview.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { RowsSkeleton } from '../../parts/skeletons.tsx';
import { useMay, useSite } from '../../session/site.ts';
import { MailNotes } from './mail-notes.tsx';
import { Numbers } from './numbers.tsx';
import { SetUpSteps } from './set-up-steps.tsx';
import { WithheldNote } from './withheld-note.tsx';

// What stands further down comes after the rest.
const DayCharts = lazy(() => import('./day-charts.tsx').then(({ DayCharts }) => ({ default: DayCharts })));
const NewestEvents = lazy(() =>
  import('./newest-events.tsx').then(({ NewestEvents }) => ({ default: NewestEvents })),
);

/** The site at a glance: what is still to be done, how many there are, and what has happened last. */
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
        {!data && !error && <RowsSkeleton />}
        {data && (
          <>
            <MailNotes overview={data} />
            <WithheldNote overview={data} />
            <SetUpSteps setUp={data.setUp} />
            <Numbers overview={data} />
            <Suspense fallback={<Skeleton height={280} radius="lg" />}>
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
