import { useSearch } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { ErrorNote } from '../../components/feedback/error-note.tsx';
import { latePart } from '../../components/late-part.ts';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { OverviewSkeleton } from '../../components/layout/skeletons.tsx';
import { loadTexts, useTexts } from '../../languages/texts.tsx';
import { useOverview } from '../../queries/overview.ts';
import { useSite } from '../../session/site.ts';
import { DaySwitch } from './day-switch.tsx';

/** Loaded at the same time as the data. */
const loadContent = async () => {
  const [{ OverviewContent }] = await Promise.all([import('./overview-content.tsx'), loadTexts('attention')]);
  return OverviewContent;
};
const OverviewContent = latePart(loadContent);

/** The overview of a site: what needs a person, its figures, and what happened last. */
export function OverviewPage() {
  const t = useTexts('overview');
  const { title } = useSite();
  const { days } = useSearch({ from: '/$site/' });
  const { data, error, refetch } = useOverview(days);
  useEffect(() => void loadContent().catch(() => {}), []);
  return (
    <>
      <PageHeader title={t('title')} description={title} actions={<DaySwitch />} />
      {error && !data && <ErrorNote error={error} retry={refetch} />}
      {!error && !data && <OverviewSkeleton />}
      {data && (
        <Suspense fallback={<OverviewSkeleton />}>
          <OverviewContent overview={data} />
        </Suspense>
      )}
    </>
  );
}
