import type { Source } from '@gatehouse/client';
import { type ConnectedType, isConnected } from '@gatehouse/contract/source-types';
import { useSearch } from '@tanstack/react-router';
import { FailedPage } from '../../components/feedback/failed-page.tsx';
import { NotAllowed } from '../../components/feedback/not-allowed.tsx';
import { BackLink } from '../../components/layout/links.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { Section } from '../../components/layout/section.tsx';
import { FormSkeleton, PageSkeleton } from '../../components/layout/skeletons.tsx';
import { Steps } from '../../components/steps/steps.tsx';
import { useUnsavedWarning } from '../../hooks/use-unsaved-warning.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useSource } from '../../queries/sources.ts';
import { useMay } from '../../session/site.ts';
import { CheckStep } from './check-step.tsx';
import { CollectionsStep } from './collections-step.tsx';
import { ColumnsStep } from './columns/columns-step.tsx';
import { ConnectStep } from './connect-step.tsx';
import { StartStep } from './start-step.tsx';
import { type SetUp, useSetUp } from './use-set-up.ts';

/** Connects a source step by step, or continues where someone left. */
export function SetUpPage() {
  const t = useTexts('sources');
  if (!useMay('sources:write')) {
    return <NotAllowed title={t('notAllowed')} needs={['sources:write']} back={<Back />} />;
  }
  return <AllowedSetUp />;
}

function Back() {
  const t = useTexts('sources');
  return <BackLink to="/$site/sources">{t('back')}</BackLink>;
}

function AllowedSetUp() {
  const { type, source: sourceId } = useSearch({ from: '/$site/sources/set-up' });
  const { data, error, refetch } = useSource(sourceId);
  if (error && !data) return <FailedPage error={error} retry={refetch} back={<Back />} />;
  if (sourceId !== undefined && !data)
    return (
      <PageSkeleton>
        <FormSkeleton />
      </PageSkeleton>
    );
  const source = data?.data;
  const known = source && isConnected(source.type) ? source.type : undefined;
  return <SourceSetUp source={source} type={known ?? type ?? 'list'} />;
}

function SourceSetUp({ source, type }: { source: Source | undefined; type: ConnectedType }) {
  const t = useTexts('sources');
  const setUp = useSetUp(source, type);
  useUnsavedWarning(setUp.draft.isChanged);
  const current = setUp.steps.indexOf(setUp.step);
  return (
    <>
      <PageHeader
        title={source?.name ?? t(`connect.${type}`)}
        back={<BackLink to="/$site/sources">{t('back')}</BackLink>}
      />
      <Steps
        label={t('steps')}
        names={setUp.steps.map((step) => t(`step.${step}`))}
        current={current}
        position={t('position', { number: current + 1, total: setUp.steps.length })}
      />
      <Section title={t(`step.${setUp.step}`)} description={t(`stepText.${setUp.step}`)}>
        <Step setUp={setUp} source={source} type={type} />
      </Section>
    </>
  );
}

interface StepProps {
  setUp: SetUp;
  source: Source | undefined;
  type: ConnectedType;
}

function Step({ setUp, source, type }: StepProps) {
  if (!source || setUp.step === 'connect') return <ConnectStep source={source} type={type} setUp={setUp} />;
  switch (setUp.step) {
    case 'collections':
      return <CollectionsStep source={source} setUp={setUp} />;
    case 'columns':
      return <ColumnsStep source={source} setUp={setUp} />;
    case 'check':
      return <CheckStep source={source} setUp={setUp} />;
    case 'start':
      return <StartStep source={source} runId={setUp.firstRunId} />;
  }
}
