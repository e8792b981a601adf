import type { Source } from '@gatehouse/client';
import { factsOfType } from '@gatehouse/contract/source-types';
import { Group, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { ObjectPage } from '../../components/feedback/object-page.tsx';
import { IconPlugConnectedX } from '../../components/icons/icons.ts';
import { CopyId } from '../../components/layout/copy-id.tsx';
import { BackLink } from '../../components/layout/links.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
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
  const query = useSource(sourceId);
  return (
    <ObjectPage
      query={query}
      back={<BackLink to="/$site/sources">{t('back')}</BackLink>}
      missing={{
        code: 'source_not_found',
        icon: IconPlugConnectedX,
        title: t('notFound'),
        text: t('notFoundText'),
      }}
    >
      {(saved) => <FoundSource saved={saved} />}
    </ObjectPage>
  );
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
