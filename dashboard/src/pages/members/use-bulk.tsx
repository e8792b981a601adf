import type { ListMembers } from '@gatehouse/client';
import { List, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import { useConfirm } from '../../parts/confirm.tsx';
import { saveFile } from '../../parts/csv.ts';
import { showFailure } from '../../parts/failure.tsx';
import { ProgressDialog } from '../../parts/progress-dialog.tsx';
import { useRefusalText } from '../../parts/refusals.ts';
import { showUndo } from '../../parts/undo-note.tsx';
import { useGatehouse, useSite } from '../../session/site.ts';
import {
  actOn,
  type BulkDone,
  type BulkStep,
  countDone,
  type Outcome,
  stepsBack,
  type Watch,
} from './bulk.ts';
import { type BulkJob, mustAsk } from './bulk-jobs.ts';
import { membersToCsv } from './members-csv.ts';
import { collectWithGroups } from './members-with-groups.ts';
import type { Selection } from './selection.ts';
import { useCollectSelected } from './use-selected.ts';

interface Progress {
  step: 'collecting' | 'acting';
  count: number;
  /** Null while they are being counted. */
  total: number | null;
}

const undoMilliseconds = 12_000;

/** Does things to all who are selected, shows how far it is, and says what became of it. */
export function useBulk(selection: Selection, filter: ListMembers) {
  const t = useTexts('members');
  const site = useSite();
  const gatehouse = useGatehouse();
  const client = useQueryClient();
  const confirm = useConfirm();
  const collect = useCollectSelected(selection, filter);
  const [progress, setProgress] = useState<Progress | null>(null);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  /** Runs while the dialog is shown; nothing is said of what is stopped before anything was done. */
  async function watched<Result>(run: (signal: AbortSignal) => Promise<Result>): Promise<Result | undefined> {
    const controller = new AbortController();
    running.current = controller;
    try {
      return await run(controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) showFailure(error);
      return undefined;
    } finally {
      setProgress(null);
    }
  }

  /** Runs while it is shown how many were gathered. */
  const gathered = <Result,>(run: (watch: Watch) => Promise<Result>) =>
    watched((signal) => {
      const onProgress = (count: number) => setProgress({ step: 'collecting', count, total: null });
      if (selection.all) onProgress(0);
      return run({ signal, onProgress });
    });

  async function act(steps: readonly BulkStep[], tell: (outcome: Outcome) => void): Promise<void> {
    const total = steps.reduce((sum, { memberIds }) => sum + memberIds.length, 0);
    const outcome = await watched((signal) => {
      const onProgress = (count: number) => setProgress({ step: 'acting', count, total });
      onProgress(0);
      return actOn(gatehouse, steps, { signal, onProgress });
    });
    await client.invalidateQueries({ queryKey: [site.id] });
    if (outcome) tell(outcome);
  }

  /** Answers whether it was begun. */
  async function run(job: BulkJob): Promise<boolean> {
    const memberIds = await gathered(collect);
    if (!memberIds || memberIds.length === 0) return false;
    if (mustAsk(job, memberIds.length) && !(await confirm(job.question(memberIds.length)))) return false;
    await act([{ memberIds, action: job.action }], (outcome) => tell(outcome, job));
    return true;
  }

  async function exportCsv(): Promise<void> {
    const members = await gathered((watch) => collectWithGroups(gatehouse, selection, filter, watch));
    if (members) saveFile(membersToCsv(members), `${site.slug}-members.csv`);
  }

  function tell(outcome: Outcome, { done, undo }: Pick<BulkJob, 'done' | 'undo'>): void {
    const { count, changed } = countDone(outcome);
    if (outcome.error !== undefined) showFailure(outcome.error);
    if (outcome.error !== undefined && count + changed === 0) return;
    const milliseconds = outcome.failures.size > 0 ? null : undoMilliseconds;
    if (undo && count + changed > 0) {
      showUndo({
        done: done({ count, changed }),
        milliseconds,
        undo: () =>
          void act(stepsBack(outcome, undo, new Date()), (undone) => tell(undone, { done: sayUndone })),
        children: <OutcomeNote outcome={outcome} />,
      });
      return;
    }
    notifications.show({
      autoClose: milliseconds ?? false,
      message: (
        <>
          {done({ count, changed })}
          <OutcomeNote outcome={outcome} />
        </>
      ),
    });
  }

  const sayUndone = ({ count, changed }: BulkDone) => t('undone', { count: count + changed });

  const dialog = progress && (
    <ProgressDialog
      title={t(progress.step)}
      text={
        progress.total === null
          ? t('collected', { count: progress.count })
          : t('progress', { count: progress.count, total: progress.total })
      }
      share={progress.total === null ? null : progress.count / progress.total}
      cancel={() => running.current?.abort()}
    />
  );
  return { run, exportCsv, dialog };
}

/** Beside what was done: what was not, and why. */
function OutcomeNote({ outcome: { unchanged, failures, stopped } }: { outcome: Outcome }) {
  const t = useTexts('members');
  const refusalText = useRefusalText();
  return (
    <Stack gap={4}>
      {unchanged > 0 && <Text size="xs">{t('unchanged', { count: unchanged })}</Text>}
      {stopped && <Text size="xs">{t('stopped')}</Text>}
      {failures.size > 0 && (
        <List size="xs">
          {[...failures.values()].map(({ code, message, count }) => (
            <List.Item key={code}>
              {t('failed', { count, message: refusalText({ code, message }) })}
            </List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
}
