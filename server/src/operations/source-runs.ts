import { findRun, listRuns, requestSync } from '../domain/sources/runs.ts';
import type { OperationHandlers } from './operation-handler.ts';

export const sourceRunHandlers = {
  listSourceRuns: async ({ db, siteId }, { params, query }) => ({
    body: await listRuns(db, siteId, params.sourceId, query),
  }),

  getSourceRun: async ({ db, siteId }, { params }) => ({
    body: { data: await findRun(db, siteId, params.sourceId, params.runId) },
  }),

  syncSource: async ({ change, apiUrl }, { params: { sourceId }, body }) => {
    const run = await requestSync(change, sourceId, body);
    return {
      body: { data: run },
      location: `${apiUrl}/sources/${sourceId}/runs/${run.id}`,
      queued: 'source-runs',
    };
  },
} satisfies OperationHandlers;
