import { uploadListPart } from '../../domain/sources/uploads/list-uploads.ts';
import {
  findAvailableCollections,
  previewCollection,
} from '../../domain/sources/workspaces/available-collections.ts';
import { data, type OperationHandlers } from '../operation-handler.ts';
import { visibleRun } from './source-runs.ts';

export const sourceCollectionHandlers = {
  listSourceCollections: (context, { params }) =>
    data(findAvailableCollections(context, context.workspaces, params.sourceId)),

  previewSourceCollection: (context, { params: { sourceId, collectionKey } }) =>
    data(previewCollection(context, context.workspaces, sourceId, collectionKey)),

  uploadCollectionPeople: {
    changesMany: true,
    queues: 'source-runs',
    handle: async ({ change, permissions }, { params: { sourceId, collectionKey }, body }) => {
      const { parts, run } = await uploadListPart(change, sourceId, collectionKey, { part: 0, ...body });
      return { body: { data: { parts, run: run && visibleRun(run, permissions) } } };
    },
  },
} satisfies OperationHandlers;
