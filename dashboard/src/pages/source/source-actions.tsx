import type { Source, SourceRun, SyncSource } from '@gatehouse/client';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorNote } from '../../components/feedback/error-note.tsx';
import { showFailure } from '../../components/feedback/error-notification.tsx';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { Dialog } from '../../components/layout/dialog.tsx';
import { LinkButton } from '../../components/layout/links.tsx';
import { RowsSkeleton } from '../../components/layout/skeletons.tsx';
import { RunResult } from '../../components/sources/run-result.tsx';
import { isUnfinished } from '../../components/sources/source-state.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteApi } from '../../queries/site-api.ts';
import { useRun } from '../../queries/sources.ts';

/** The buttons of the page: first the set-up, later the synchronization. */
export function SourceActions({ source, runs }: { source: Source; runs: readonly SourceRun[] }) {
  if (source.type === 'program') return null;
  return isUnfinished(source, runs) ? <ContinueButton source={source} /> : <SyncButtons source={source} />;
}

function ContinueButton({ source }: { source: Source }) {
  const t = useTexts('sources');
  return (
    <LinkButton from="/$site" to="/$site/sources/set-up" search={{ source: source.id }}>
      {t('continueSetUp')}
    </LinkButton>
  );
}

function SyncButtons({ source }: { source: Source }) {
  const t = useTexts('sources');
  const [checked, setChecked] = useState<SourceRun | null>(null);
  const sync = useSync(source.id);
  const check = useMutation({
    mutationFn: () => sync.send({ dryRun: true }),
    onSuccess: setChecked,
    onError: showFailure,
  });
  const now = useMutation({
    mutationFn: () => sync.send({}),
    onSuccess: () => notifications.show({ message: t('started') }),
    onError: showFailure,
  });
  return (
    <>
      <ActionButton label={t('showChanges')} loading={check.isPending} onClick={() => check.mutate()} />
      <Button loading={now.isPending} onClick={() => now.mutate()}>
        {t('syncNow')}
      </Button>
      <Dialog opened={checked !== null} onClose={() => setChecked(null)} title={t('changesTitle')} size="lg">
        {checked && <DryRun run={checked} />}
      </Dialog>
    </>
  );
}

function DryRun({ run }: { run: SourceRun }) {
  const { data, error, refetch } = useRun(run.sourceId, run.id);
  if (error) return <ErrorNote error={error} retry={() => refetch()} />;
  return data ? <RunResult run={data} /> : <RowsSkeleton rows={3} />;
}

/** Asks for a run, and shows it among the runs of the source. */
export function useSync(sourceId: string) {
  const { gatehouse, keys, client } = useSiteApi();
  return {
    async send(run: SyncSource): Promise<SourceRun> {
      const requested = await gatehouse.sources.sync(sourceId, run);
      await client.invalidateQueries({ queryKey: keys.sources.runs(sourceId), exact: true });
      return requested;
    },
  };
}
