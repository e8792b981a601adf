import type { Source, SourceRun } from '@gatehouse/client';
import { Accordion, Group, Text } from '@mantine/core';
import { QueryState } from '../../components/feedback/query-state.tsx';
import { Hint } from '../../components/layout/hint.tsx';
import { Section } from '../../components/layout/section.tsx';
import { RunResult } from '../../components/sources/run-result.tsx';
import { type State, StateText } from '../../components/state/state-text.tsx';
import { Tag } from '../../components/state/tag.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { isUnderWay, type useRuns } from '../../queries/sources.ts';

interface RunsSectionProps {
  source: Source;
  runs: ReturnType<typeof useRuns>;
}

/** The newest runs. Each opens to what it has done. */
export function RunsSection({ source, runs: { data, error, refetch } }: RunsSectionProps) {
  const t = useTexts('sources');
  const runs = data?.filter((run) => run.status !== 'waiting' || isUnderWay(run));
  return (
    <Section title={t('runs')}>
      <QueryState query={{ data, error, refetch }} rows={3} />
      {runs?.length === 0 && <Text c="dimmed">{t(source.type === 'program' ? 'noList' : 'noRun')}</Text>}
      {runs && runs.length > 0 && (
        <Accordion variant="contained" chevronPosition="left">
          {runs.map((run) => (
            <RunItem key={run.id} run={run} />
          ))}
        </Accordion>
      )}
    </Section>
  );
}

function RunItem({ run }: { run: SourceRun }) {
  return (
    <Accordion.Item value={run.id}>
      <Accordion.Control>
        <RunSummary run={run} />
      </Accordion.Control>
      <Accordion.Panel>
        <RunResult run={run} />
      </Accordion.Panel>
    </Accordion.Item>
  );
}

const states: Readonly<Record<string, State>> = {
  waiting: 'neutral',
  running: 'good',
  succeeded: 'good',
  confirmation_required: 'attention',
  failed: 'bad',
};

function RunSummary({ run: { status, dryRun, counts, createdAt, endedAt } }: { run: SourceRun }) {
  const t = useTexts('sources');
  const changes = (['created', 'added', 'changed', 'removed', 'withheld'] as const)
    .filter((count) => counts[count] > 0)
    .map((count) => t(`short.${count}`, { count: counts[count] }));
  return (
    <Group gap="xs">
      <StateText state={states[status] ?? 'neutral'}>
        {t.has(`run.${status}`) ? t(`run.${status}`) : status}
      </StateText>
      {dryRun && <Tag>{t('dryRun')}</Tag>}
      <Text size="sm">
        <TimeText at={endedAt ?? createdAt} />
      </Text>
      <Hint>
        {changes.length > 0 ? changes.join(', ') : status === 'succeeded' && t('noChanges')}
        {counts.skipped > 0 && ` · ${t('skippedPeople', { count: counts.skipped })}`}
      </Hint>
    </Group>
  );
}
