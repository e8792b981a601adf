import type { CreateSource } from '@gatehouse/contract';
import type { StoredSource } from '../../domain/sources/source/source.ts';
import {
  createSource,
  deleteSource,
  findSource,
  findStoredSource,
  listSources,
  updateSource,
} from '../../domain/sources/source/sources.ts';
import { type ChangingContext, data, type OperationHandlers, page } from '../operation-handler.ts';
import { requireLastingCaller } from '../operators/caller-authority.ts';

export const sourceHandlers = {
  listSources: (view, { query }) => page(listSources(view, query)),

  createSource: {
    queues: 'source-runs',
    handle: async (context, { body }) => {
      const { change, workspaces, apiUrl } = context;
      await requireAuthorityOver(context, body);
      const source = await createSource(change, body, workspaces);
      return { body: { data: source }, location: `${apiUrl}/sources/${source.id}` };
    },
  },

  getSource: (view, { params }) => data(findSource(view, params.sourceId)),

  updateSource: {
    queues: 'source-runs',
    handle: async (context, { params, body }) => {
      const { change, workspaces, requireMatch } = context;
      const before = await requireAuthorityOverSource(context, params.sourceId);
      await requireAuthorityOver(context, { ...before, ...body });
      return { body: { data: await updateSource(change, workspaces, params.sourceId, body, requireMatch) } };
    },
  },

  deleteSource: {
    changesMany: true,
    handle: async (context, { params, query }) => {
      const { change, requireMatch } = context;
      await requireAuthorityOverSource(context, params.sourceId);
      await deleteSource(change, params.sourceId, query.groups, requireMatch);
      return { body: undefined };
    },
  },
} satisfies OperationHandlers;

/** @throws {ApiError} `source_not_found`, `permission_denied` */
export async function requireAuthorityOverSource(
  context: ChangingContext,
  sourceId: string,
): Promise<StoredSource> {
  const source = await findStoredSource({ db: context.change.db, siteId: context.siteId }, sourceId);
  await requireAuthorityOver(context, source);
  return source;
}

/** A source on schedule changes members by itself, long after the request. One of the kind `program` needs a key each time. */
async function requireAuthorityOver(
  context: ChangingContext,
  { type, enabled = false }: Pick<CreateSource, 'type' | 'enabled'>,
): Promise<void> {
  if (type === 'program' || !enabled) return;
  await requireLastingCaller(context, 'a source on schedule continues to change members');
}
