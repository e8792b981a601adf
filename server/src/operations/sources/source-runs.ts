import { findRun, listRuns, requestSync } from '../../domain/sources/runs/runs.ts';
import type { OperationHandlers } from '../operation-handler.ts';
import { visibleRun } from './visible-run.ts';

export const sourceRunHandlers = {
  listSourceRuns: async ({ db, siteId, permissions }, { params, query }) => {
    const { data, pagination } = await listRuns(db, siteId, params.sourceId, query);
    return { body: { data: data.map((run) => visibleRun(run, permissions)), pagination } };
  },

  getSourceRun: async ({ db, siteId, permissions }, { params }) => {
    const run = await findRun(db, siteId, params.sourceId, params.runId);
    return { body: { data: visibleRun(run, permissions) } };
  },

  syncSource: async ({ change, permissions, apiUrl }, { params: { sourceId }, body }) => {
    const run = await requestSync(change, sourceId, body);
    return {
      body: { data: visibleRun(run, permissions) },
      location: `${apiUrl}/sources/${sourceId}/runs/${run.id}`,
      queued: 'source-runs',
    };
  },
} satisfies OperationHandlers;
