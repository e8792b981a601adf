import type { SourceType } from '@gatehouse/contract';
import { ApiError } from '../../../base/api-error.ts';
import type { SecretBox } from '../../../base/encryption/secret-box.ts';
import type { OutgoingSettings } from '../../../base/networks/outgoing-url.ts';
import type { SiteData } from '../../../storage/site-view.ts';
import type { StoredRun } from '../runs/run.ts';
import type { StoredSource } from '../source/source.ts';
import type { Connector } from './connector.ts';
import type { Workspace } from './workspace.ts';

/** The workspaces of all sources, as far as the domain needs them. `connectors/workspaces.ts` implements it. */
export interface Workspaces {
  /** Encrypts and decrypts the secrets of sources. */
  readonly secrets: SecretBox;
  readonly outgoing: OutgoingSettings;
  /** Undefined for a type of source whose lists are uploaded. */
  connectorOf(type: SourceType): Connector | undefined;
  /** Opens the workspace of a source, for a run or to look at it. @throws {WorkspaceUnavailable} */
  open(view: SiteData, source: StoredSource, run?: StoredRun): Promise<Workspace>;
  /**
   * Looks into a workspace while the caller waits, which only a few may do at the same time.
   * @param work its signal is aborted when the workspace has taken too long
   * @throws {ApiError} `rate_limited`; `workspace_unavailable` if the work does not end in time
   */
  look<Result>(siteId: string, work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
}

export function workspaceTooSlow(): ApiError {
  return new ApiError(
    'workspace_unavailable',
    'The workspace did not respond in time. Try again in a minute.',
  );
}
