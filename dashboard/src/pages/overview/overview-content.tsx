import type { Overview } from '@gatehouse/client';
import { Stack } from '@mantine/core';
import { Suspense } from 'react';
import { latePart } from '../../components/late-part.ts';
import { ChartsSkeleton, RowsSkeleton } from '../../components/layout/skeletons.tsx';
import { useMay, useSite } from '../../session/site.ts';
import { AttentionCard } from './attention/attention-card.tsx';
import { SiteFigures } from './site-figures.tsx';

// What is further down, or not on every site, is loaded later.
const SetUpSteps = latePart(async () => (await import('./set-up-steps.tsx')).SetUpSteps);
const DayCharts = latePart(async () => (await import('./charts/day-charts.tsx')).DayCharts);
const NewestEvents = latePart(async () => (await import('./newest-events.tsx')).NewestEvents);

/** What the overview says about a site. */
export function OverviewContent({ overview }: { overview: Overview }) {
  const isOwner = useSite().role === 'owner';
  const mayReadEvents = useMay('events:read');
  return (
    <Stack gap="lg">
      <AttentionCard overview={overview} />
      {isOwner && Object.values(overview.setUp).includes(false) && (
        <Suspense>
          <SetUpSteps setUp={overview.setUp} />
        </Suspense>
      )}
      <SiteFigures overview={overview} />
      {overview.days.some(({ members, logins }) => members > 0 || logins > 0) && (
        <Suspense fallback={<ChartsSkeleton />}>
          <DayCharts days={overview.days} />
        </Suspense>
      )}
      {mayReadEvents && (
        <Suspense fallback={<RowsSkeleton />}>
          <NewestEvents />
        </Suspense>
      )}
    </Stack>
  );
}
