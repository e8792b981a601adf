import type { ListMembers } from '@gatehouse/client';
import { useState } from 'react';
import type { BulkStep } from '../bulk-action.ts';
import { type BulkReport, useEndsReport } from '../bulk-jobs.ts';
import { EndsDialog } from './ends-dialog.tsx';
import type { EndsQuestion } from './group-at-first.ts';
import type { EndsPlan } from './plan.ts';

interface Bulk {
  findEnds: () => Promise<EndsQuestion | undefined>;
  runSteps: (steps: readonly BulkStep[], report: BulkReport) => Promise<void>;
}

/**
 * Changes the ends of memberships of the selected members.
 * @param filter that of the list, which says which group is meant
 */
export function useEnds({ findEnds, runSteps }: Bulk, filter: ListMembers) {
  const reportOf = useEndsReport();
  const [question, setQuestion] = useState<EndsQuestion | null>(null);

  function choose(plan: EndsPlan): void {
    setQuestion(null);
    void runSteps(plan.steps, reportOf(plan));
  }

  return {
    start: async () => setQuestion((await findEnds()) ?? null),
    dialog: (
      <EndsDialog question={question} filter={filter} close={() => setQuestion(null)} choose={choose} />
    ),
  };
}
