import type { AvailableCollections, CollectionPreview } from '@gatehouse/contract';
import { ApiError } from '../../../base/api-error.ts';
import type { SiteData } from '../../../storage/site-view.ts';
import { selectCollections } from '../collections/collection-store.ts';
import { sourceIsUploaded } from '../source/source.ts';
import { findStoredSource } from '../source/sources.ts';
import { CollectionGone, CollectionUnreadable, type Workspace, WorkspaceUnavailable } from './workspace.ts';
import { type Workspaces, workspaceTooSlow } from './workspaces.ts';

const maxCollections = 1_000;

/**
 * The collections that the workspace of a source shows now.
 * @throws {ApiError} `source_not_found`, `workspace_unavailable`, `workspace_rejected`, `rate_limited`
 */
export async function findAvailableCollections(
  view: SiteData,
  workspaces: Workspaces,
  sourceId: string,
): Promise<AvailableCollections> {
  const source = await findStoredSource(view, sourceId);
  const known = await selectCollections(view, sourceId);
  const chosen = new Set(known.filter(({ removedAt }) => removedAt === null).map(({ key }) => key));
  if (source.type === 'program') {
    return { collections: known.map(({ key, name }) => ({ key, name, chosen: true })), complete: true };
  }
  return workspaces.look(view.siteId, async (signal) => {
    try {
      const workspace = await workspaces.open(view, source);
      return await readCollections(workspace, chosen, signal);
    } catch (error) {
      throw toApiError(error, signal);
    }
  });
}

/** Those that were found in time. */
async function readCollections(
  workspace: Workspace,
  chosen: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<AvailableCollections> {
  const collections: AvailableCollections['collections'] = [];
  try {
    for await (const { key, name } of workspace.collections(signal)) {
      collections.push({ key, name, chosen: chosen.has(key) });
      if (collections.length === maxCollections) return { collections, complete: false };
    }
  } catch (error) {
    if (signal.aborted && collections.length > 0) return { collections, complete: false };
    throw error;
  }
  return { collections, complete: true };
}

/**
 * @throws {ApiError} `source_not_found`, `source_is_uploaded`, `collection_not_found`, `collection_unreadable`,
 *   `workspace_unavailable`, `workspace_rejected`, `rate_limited`
 */
export async function previewCollection(
  view: SiteData,
  workspaces: Workspaces,
  sourceId: string,
  key: string,
): Promise<CollectionPreview> {
  const source = await findStoredSource(view, sourceId);
  if (source.type === 'program') throw sourceIsUploaded();
  return workspaces.look(view.siteId, async (signal) => {
    try {
      const workspace = await workspaces.open(view, source);
      return await workspace.preview(key, signal);
    } catch (error) {
      throw toApiError(error, signal);
    }
  });
}

function toApiError(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof CollectionGone) return new ApiError('collection_not_found', error.message);
  if (error instanceof CollectionUnreadable) return new ApiError('collection_unreadable', error.message);
  if (error instanceof WorkspaceUnavailable) {
    return new ApiError(
      error.code === 'rejected' ? 'workspace_rejected' : 'workspace_unavailable',
      error.message,
    );
  }
  return signal.aborted ? workspaceTooSlow() : error;
}
