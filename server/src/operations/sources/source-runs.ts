import type { Permission, SourceRun } from '@gatehouse/contract';
import { grants } from '@gatehouse/contract/permissions';
import { findRun, listRuns, requestSync } from '../../domain/sources/runs/runs.ts';
import type { OperationHandlers } from '../operation-handler.ts';

export const sourceRunHandlers = {
  listSourceRuns: async (view, { params, query }) => {
    const { data, pagination } = await listRuns(view, params.sourceId, query);
    return { body: { data: data.map((run) => visibleRun(run, view.permissions)), pagination } };
  },

  getSourceRun: async (view, { params }) => {
    const run = await findRun(view, params.sourceId, params.runId);
    return { body: { data: visibleRun(run, view.permissions) } };
  },

  syncSource: {
    queues: 'source-runs',
    handle: async ({ change, permissions, apiUrl }, { params: { sourceId }, body }) => {
      const run = await requestSync(change, sourceId, body);
      return {
        body: { data: visibleRun(run, permissions) },
        location: `${apiUrl}/sources/${sourceId}/runs/${run.id}`,
      };
    },
  },
} satisfies OperationHandlers;

/** A run as the caller may see it: without the permission to read members it names no one. */
export function visibleRun(run: SourceRun, granted: readonly Permission[]): SourceRun {
  if (grants(granted, 'members:read')) return run;
  const collections = run.collections.map((each) => ({
    ...each,
    skippedPeople: [],
    sample: { added: [], removed: [] },
  }));
  return { ...run, collections };
}
