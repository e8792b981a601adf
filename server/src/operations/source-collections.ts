import { findAvailableCollections, previewCollection } from '../domain/sources/available-collections.ts';
import { uploadListPart } from '../domain/sources/list-uploads.ts';
import type { OperationHandlers } from './operation-handler.ts';

export const sourceCollectionHandlers = {
  listSourceCollections: async ({ db, siteId, workspaces }, { params }) => ({
    body: { data: await findAvailableCollections(db, workspaces, siteId, params.sourceId) },
  }),

  previewSourceCollection: async ({ db, siteId, workspaces }, { params: { sourceId, collectionKey } }) => ({
    body: { data: await previewCollection(db, workspaces, siteId, sourceId, collectionKey) },
  }),

  uploadCollectionPeople: async ({ change }, { params: { sourceId, collectionKey }, body }) => {
    const uploaded = await uploadListPart(change, sourceId, collectionKey, { part: 0, ...body });
    return { body: { data: uploaded }, queued: uploaded.run ? 'source-runs' : undefined };
  },
} satisfies OperationHandlers;
