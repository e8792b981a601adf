import { GatehouseError, type Source } from '@gatehouse/client';
import { factsOfType } from '@gatehouse/contract/source-types';
import { Group, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { ErrorNote } from '../../components/feedback/error-note.tsx';
import { IconPlugConnectedX } from '../../components/icons/icons.ts';
import { CopyId } from '../../components/layout/copy-id.tsx';
import { EmptyState } from '../../components/layout/empty-state.tsx';
import { BackLink } from '../../components/layout/links.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { DetailsSkeleton, PageSkeleton } from '../../components/layout/skeletons.tsx';
import { LastRunText } from '../../components/sources/last-run-text.tsx';
import { SourceStateText, stateOfSource } from '../../components/sources/source-state.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useRuns, useSource } from '../../queries/sources.ts';
import type { Version } from '../../queries/version.ts';
import { useMay } from '../../session/site.ts';
import { GroupsSection } from './groups-section.tsx';
import { RunsSection } from './runs-section.tsx';
import { SettingsSection } from './settings-section.tsx';
import { SourceActions } from './source-actions.tsx';
import { StateNote } from './state-note.tsx';
import { WebhookSection } from './webhook-section.tsx';

/** One source: its state, its groups, its runs and its settings. */
export function SourcePage() {
  const t = useTexts('sources');
  const { sourceId } = useParams({ from: '/$site/sources/$sourceId' });
  const { data: saved, error, refetch } = useSource(sourceId);
  if (error instanceof GatehouseError && error.code === 'source_not_found') {
    return (
      <EmptyState
        icon={IconPlugConnectedX}
        title={t('notFound')}
        action={<BackLink to="/$site/sources">{t('back')}</BackLink>}
        order={1}
      >
        {t('notFoundText')}
      </EmptyState>
    );
  }
  if (error && !saved) return <ErrorNote error={error} retry={refetch} />;
  if (!saved)
    return (
      <PageSkeleton>
        <DetailsSkeleton />
      </PageSkeleton>
    );
  return <FoundSource saved={saved} />;
}

function FoundSource({ saved }: { saved: Version<Source> }) {
  const t = useTexts('sources');
  const source = saved.data;
  const mayWrite = useMay('sources:write');
  const runs = useRuns(source.id);
  return (
    <>
      <PageHeader
        title={source.name}
        description={<KindText source={source} />}
        back={<BackLink to="/$site/sources">{t('back')}</BackLink>}
        actions={mayWrite && runs.data && <SourceActions source={source} runs={runs.data} />}
      />
      <Stack gap="lg">
        {runs.data && (
          <Stack gap="sm">
            <Group gap="sm">
              <SourceStateText state={stateOfSource(source, runs.data)} />
              <LastRunText source={source} runs={runs.data} />
              <CopyId id={source.id} label={t('id')} />
            </Group>
            <StateNote source={source} runs={runs.data} />
          </Stack>
        )}
        <GroupsSection source={source} />
        <RunsSection source={source} runs={runs} />
        {factsOfType(source.type)?.reportsChanges && mayWrite && <WebhookSection source={source} />}
        <SettingsSection saved={saved} />
      </Stack>
    </>
  );
}

function KindText({ source: { type, host } }: { source: Source }) {
  const t = useTexts('sources');
  return (
    <Text component="span" inherit>
      {[t.has(`kind.${type}`) ? t(`kind.${type}`) : type, host].filter(Boolean).join(' · ')}
    </Text>
  );
}
