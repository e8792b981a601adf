import { uploadListPart } from '../../domain/sources/uploads/list-uploads.ts';
import {
  findAvailableCollections,
  previewCollection,
} from '../../domain/sources/workspaces/available-collections.ts';
import type { OperationHandlers } from '../operation-handler.ts';
import { visibleRun } from './source-runs.ts';

export const sourceCollectionHandlers = {
  listSourceCollections: async ({ db, siteId, workspaces }, { params }) => ({
    body: { data: await findAvailableCollections(db, workspaces, siteId, params.sourceId) },
  }),

  previewSourceCollection: async ({ db, siteId, workspaces }, { params: { sourceId, collectionKey } }) => ({
    body: { data: await previewCollection(db, workspaces, siteId, sourceId, collectionKey) },
  }),

  uploadCollectionPeople: {
    changesMany: true,
    queues: 'source-runs',
    handle: async ({ change, permissions }, { params: { sourceId, collectionKey }, body }) => {
      const { parts, run } = await uploadListPart(change, sourceId, collectionKey, { part: 0, ...body });
      return { body: { data: { parts, run: run && visibleRun(run, permissions) } } };
    },
  },
} satisfies OperationHandlers;
