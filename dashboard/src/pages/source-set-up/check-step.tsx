import type { Source, SourceRun } from '@gatehouse/client';
import { Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ErrorNote } from '../../components/feedback/error-note.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { IconRefresh } from '../../components/icons/icons.ts';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { RowsSkeleton } from '../../components/layout/skeletons.tsx';
import { RunResult } from '../../components/sources/run-result.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useRun } from '../../queries/sources.ts';
import { useGatehouse } from '../../session/site.ts';
import { StepButtons } from './step-buttons.tsx';
import type { SetUp } from './use-set-up.ts';

/** What would change, before anything does. */
export function CheckStep({ source, setUp }: { source: Source; setUp: SetUp }) {
  const t = useTexts('sources');
  const { sources } = useGatehouse();
  const start = useMutation({ mutationFn: () => sources.sync(source.id, { dryRun: true }) });
  const { data, error, refetch } = useRun(source.id, start.data?.id);
  const enabling = useMutation({ mutationFn: setUp.enable });
  useEffect(() => start.mutate(), []);
  const run = start.isPending ? undefined : data;
  return (
    <Stack>
      {start.error && <ErrorNote error={start.error} retry={() => start.mutate()} />}
      {error && <ErrorNote error={error} retry={() => refetch()} />}
      {!run && !error && !start.error && <RowsSkeleton rows={3} />}
      {run && <RunResult run={run} />}
      {run?.endedAt && (
        <Group>
          <ActionButton icon={IconRefresh} label={t('checkAgain')} size="xs" onClick={() => start.mutate()} />
        </Group>
      )}
      {run && canStart(run) && <Notice state="neutral">{t('nothingChanged')}</Notice>}
      {enabling.error && <ErrorNote error={enabling.error} />}
      <StepButtons
        back={setUp.back}
        next={t('turnOn')}
        go={() => enabling.mutate()}
        pending={enabling.isPending}
        disabled={!run || !canStart(run)}
      />
    </Stack>
  );
}

/** Whether at least one collection could be read. */
function canStart({ endedAt, error, collections }: SourceRun): boolean {
  return endedAt !== null && error === null && collections.some(({ error }) => error === null);
}
