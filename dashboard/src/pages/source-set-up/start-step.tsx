import type { Source } from '@gatehouse/client';
import { Group, Stack } from '@mantine/core';
import { ErrorNote } from '../../components/feedback/error-note.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { LinkButton } from '../../components/layout/links.tsx';
import { RunResult } from '../../components/sources/run-result.tsx';
import { SourceGroups } from '../../components/sources/source-groups.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useRun } from '../../queries/sources.ts';

/** The first synchronization, and the groups that it has created. */
export function StartStep({ source, runId }: { source: Source; runId: string | undefined }) {
  const t = useTexts('sources');
  const { data: run, error, refetch } = useRun(source.id, runId);
  return (
    <Stack>
      {error && <ErrorNote error={error} retry={() => refetch()} />}
      {run?.status === 'succeeded' && (
        <Notice state="good" role="status">
          {t('firstRunDone')}
        </Notice>
      )}
      {run && <RunResult run={run} />}
      {run?.endedAt && <SourceGroups source={source} />}
      <Group justify="flex-end">
        <LinkButton from="/$site" to="/$site/sources/$sourceId" params={{ sourceId: source.id }}>
          {t('openSource')}
        </LinkButton>
      </Group>
    </Stack>
  );
}
