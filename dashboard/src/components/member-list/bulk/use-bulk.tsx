import type { ListMembers } from '@gatehouse/client';
import { type ExportedMember, exportColumns, toExportRow } from '@gatehouse/member-lists';
import { saveFile, toCsv } from '../../../format/csv.ts';
import { useConfirm } from '../../../hooks/use-confirm.tsx';
import { useWatchedTask } from '../../../hooks/use-watched-task.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useSiteKeys } from '../../../queries/keys.ts';
import { useSiteApi } from '../../../queries/site-api.ts';
import { useSite } from '../../../session/site.ts';
import { ProgressDialog, type TaskProgress } from '../../feedback/progress-dialog.tsx';
import { collectMembers, collectWithGroups } from '../members-with-groups.ts';
import type { Selection } from '../selection.ts';
import { actOn, type BulkStep, type Outcome, type Watch } from './bulk-action.ts';
import { type BulkJob, type BulkReport, needsConfirmation } from './bulk-jobs.ts';
import type { EndsQuestion } from './ends/group-at-first.ts';
import { collectEnds } from './ends/memberships.ts';
import { useInvite } from './use-invite.tsx';
import { useReportOutcome } from './use-report-outcome.tsx';
import { useCollectSelected } from './use-selected.ts';

/** Runs bulk actions on all selected members, shows the progress, and reports the result. */
export function useBulk(selection: Selection, filter: ListMembers) {
  const t = useTexts('members');
  const site = useSite();
  const { gatehouse } = useSiteApi();
  const confirm = useConfirm();
  const collect = useCollectSelected(selection, filter);
  const task = useWatchedTask<TaskProgress>();
  const { watch, progress, setProgress, cancel } = task;
  const runSteps = useRunSteps(task);
  const sendInvitations = useInvite();

  /** Runs a task while the number of collected members is shown. */
  const gather = <Result,>(run: (watch: Watch) => Promise<Result>) =>
    watch((signal) => {
      const onProgress = (count: number) =>
        setProgress({ title: t('collecting'), text: t('collected', { count }), share: null });
      if (selection.all) onProgress(0);
      return run({ signal, onProgress });
    });

  /** Resolves to whether it was started. */
  async function run(job: BulkJob): Promise<boolean> {
    const memberIds = await gather(collect);
    if (!memberIds || memberIds.length === 0) return false;
    if (needsConfirmation(job, memberIds.length) && !(await confirm(job.question(memberIds.length))))
      return false;
    await runSteps([{ memberIds, action: job.action }], job);
    return true;
  }

  /** The groups of the selected members, with the ends of their memberships. Undefined if that was stopped. */
  const findEnds = () =>
    gather(async (watch): Promise<EndsQuestion> => {
      const memberIds = await collect(watch);
      return { groups: await collectEnds(gatehouse, memberIds, watch), count: memberIds.length };
    });

  async function exportCsv(): Promise<void> {
    const members = await gather((watch) => collectWithGroups(gatehouse, selection, filter, watch));
    if (members) saveFile(membersToCsv(members, site.timeZone), `${site.slug}-members.csv`);
  }

  /** Invites those of the selected members who have never logged in. */
  async function invite(): Promise<void> {
    const members = await gather((watch) => collectMembers(gatehouse, selection, filter, watch));
    if (members) await sendInvitations(members, { watch, setProgress });
  }

  return {
    run,
    runSteps,
    findEnds,
    exportCsv,
    invite,
    dialog: <ProgressDialog progress={progress} cancel={cancel} />,
  };
}

/** Runs steps that need no further confirmation, shows the progress, and reports the result. */
function useRunSteps({
  watch,
  setProgress,
}: Pick<ReturnType<typeof useWatchedTask<TaskProgress>>, 'watch' | 'setProgress'>) {
  const t = useTexts('members');
  const { gatehouse, client } = useSiteApi();
  const queryKey = useSiteKeys().all;
  const report = useReportOutcome(act);

  async function act(steps: readonly BulkStep[], notify: (outcome: Outcome) => void): Promise<void> {
    const total = steps.reduce((sum, { memberIds }) => sum + memberIds.length, 0);
    const outcome = await watch((signal) => {
      const onProgress = (count: number) =>
        setProgress({ title: t('inProgress'), text: t('progress', { count, total }), share: count / total });
      onProgress(0);
      return actOn(gatehouse, steps, { signal, onProgress });
    });
    await client.invalidateQueries({ queryKey });
    if (outcome) notify(outcome);
  }

  return (steps: readonly BulkStep[], result: BulkReport) => act(steps, (outcome) => report(outcome, result));
}

/** A CSV file of members, which can also be imported again. */
function membersToCsv(members: readonly ExportedMember[], timeZone: string): Blob {
  const rows = members.map((member) => toExportRow(member, timeZone));
  return toCsv(exportColumns, rows);
}
