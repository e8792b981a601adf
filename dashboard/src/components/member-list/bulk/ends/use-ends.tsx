import { useState } from 'react';
import type { BulkStep } from '../bulk-action.ts';
import { type BulkReport, useEndsReport } from '../bulk-jobs.ts';
import { EndsDialog, type EndsQuestion } from './ends-dialog.tsx';
import type { EndsPlan } from './plan.ts';

interface Bulk {
  findEnds: () => Promise<EndsQuestion | undefined>;
  runSteps: (steps: readonly BulkStep[], report: BulkReport) => Promise<void>;
}

/**
 * Changes the ends of memberships of the selected members.
 * @param groupId the group whose members are listed, or by which the list is filtered
 */
export function useEnds({ findEnds, runSteps }: Bulk, groupId: string | undefined) {
  const reportOf = useEndsReport();
  const [question, setQuestion] = useState<EndsQuestion | null>(null);

  function choose(plan: EndsPlan): void {
    setQuestion(null);
    void runSteps(plan.steps, reportOf(plan));
  }

  return {
    start: async () => setQuestion((await findEnds()) ?? null),
    dialog: (
      <EndsDialog question={question} groupId={groupId} close={() => setQuestion(null)} choose={choose} />
    ),
  };
}
