import type { Source } from '@gatehouse/client';
import { Alert, Button, Group, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ErrorNote } from '../../components/feedback/error-note.tsx';
import { IconCheck } from '../../components/icons/icons.ts';
import { RunResult } from '../../components/sources/run-result.tsx';
import { SourceGroups } from '../../components/sources/source-groups.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useRun } from '../../queries/sources.ts';
import { useSite } from '../../session/site.ts';

/** The first synchronization, and the groups that it has created. */
export function StartStep({ source, runId }: { source: Source; runId: string | undefined }) {
  const t = useTexts('sources');
  const { slug } = useSite();
  const { data: run, error, refetch } = useRun(source.id, runId);
  return (
    <Stack>
      {error && <ErrorNote error={error} retry={() => refetch()} />}
      {run?.status === 'succeeded' && (
        <Alert color="teal" variant="light" icon={<IconCheck aria-hidden />} role="status">
          {t('firstRunDone')}
        </Alert>
      )}
      {run && <RunResult run={run} />}
      {run?.endedAt && <SourceGroups source={source} />}
      <Group justify="flex-end">
        <Button
          renderRoot={(props) => (
            <Link to="/$site/sources/$sourceId" params={{ site: slug, sourceId: source.id }} {...props} />
          )}
        >
          {t('openSource')}
        </Button>
      </Group>
    </Stack>
  );
}
