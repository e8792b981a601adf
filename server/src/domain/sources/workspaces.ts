import type { Queries } from '../../storage/database.ts';
import { ProgramWorkspace } from './program-workspace.ts';
import type { StoredRun } from './run.ts';
import type { StoredSource } from './source.ts';
import { type Workspace, WorkspaceUnavailable } from './workspace.ts';

/** Opens the workspace of a source for one run. @throws {WorkspaceUnavailable} */
export function openWorkspace(db: Queries, siteId: string, source: StoredSource, run: StoredRun): Workspace {
  if (run.list) return new ProgramWorkspace(db, siteId, source.id, run.list);
  throw new WorkspaceUnavailable('rejected', 'A program uploads the lists of this source. Upload one.');
}
