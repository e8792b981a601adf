import { findRun, listRuns } from '../domain/sources/runs.ts';
import {
  createSource,
  deleteSource,
  findSource,
  listSources,
  updateSource,
  uploadListPart,
} from '../domain/sources/sources.ts';
import type { OperationHandlers } from './operation-handler.ts';

export const sourceHandlers = {
  listSources: async ({ db, siteId, now }, { query }) => ({
    body: await listSources(db, siteId, query, now),
  }),

  createSource: async ({ change, apiUrl }, { body }) => {
    const source = await createSource(change, body);
    return { body: { data: source }, location: `${apiUrl}/sources/${source.id}` };
  },

  getSource: async ({ db, siteId }, { params }) => ({
    body: { data: await findSource(db, siteId, params.sourceId) },
  }),

  updateSource: async ({ change, requireMatch }, { params, body }) => ({
    body: { data: await updateSource(change, params.sourceId, body, requireMatch) },
  }),

  deleteSource: async ({ change, requireMatch }, { params, query }) => {
    await deleteSource(change, params.sourceId, query.groups, requireMatch);
    return { body: undefined };
  },

  listSourceRuns: async ({ db, siteId }, { params, query }) => ({
    body: await listRuns(db, siteId, params.sourceId, query),
  }),

  getSourceRun: async ({ db, siteId }, { params }) => ({
    body: { data: await findRun(db, siteId, params.sourceId, params.runId) },
  }),

  uploadCollectionPeople: async ({ change }, { params: { sourceId, collectionKey }, body }) => {
    const uploaded = await uploadListPart(change, sourceId, collectionKey, { part: 0, ...body });
    return { body: { data: uploaded }, queued: uploaded.run ? 'source-runs' : undefined };
  },
} satisfies OperationHandlers;
