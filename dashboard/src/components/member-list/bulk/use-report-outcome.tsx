import { notifications } from '@mantine/notifications';
import { useTexts } from '../../../languages/texts.tsx';
import { showFailure } from '../../feedback/error-notification.tsx';
import { showUndo } from '../../feedback/undo-notification.tsx';
import { type BulkStep, countDone, type Outcome, stepsBack } from './bulk-action.ts';
import type { BulkReport } from './bulk-jobs.ts';
import { OutcomeNote } from './outcome-note.tsx';

const undoMilliseconds = 12_000;

/** Reports the result of a bulk action, and offers to undo it with `act`. */
export function useReportOutcome(
  act: (steps: readonly BulkStep[], report: (outcome: Outcome) => void) => Promise<void>,
) {
  const t = useTexts('members');

  function report(outcome: Outcome, { done, undo }: BulkReport): void {
    const { count, changed } = countDone(outcome);
    if (outcome.error !== undefined) showFailure(outcome.error);
    if (outcome.error !== undefined && count + changed === 0) return;
    const text = done({ count, changed });
    const note = <OutcomeNote outcome={outcome} />;
    const milliseconds = outcome.failures.size > 0 ? null : undoMilliseconds;
    if (undo && count + changed > 0) {
      const undoAll = () => void act(stepsBack(outcome, undo, new Date()), reportUndone);
      showUndo({ done: text, milliseconds, undo: undoAll, children: note });
    } else {
      notifications.show({
        autoClose: milliseconds ?? false,
        message: (
          <>
            {text}
            {note}
          </>
        ),
      });
    }
  }

  const reportUndone = (outcome: Outcome) =>
    report(outcome, { done: ({ count, changed }) => t('undone', { count: count + changed }) });

  return report;
}
