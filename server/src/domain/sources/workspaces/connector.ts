import type { CollectionColumns } from '@gatehouse/contract';
import type { Queries } from '../../../storage/database.ts';
import type { StoredSource } from '../source/source.ts';
import type { Workspace } from './workspace.ts';

/** What was entered to connect a source, after it was checked. */
export interface EnteredConnection {
  /** The host that the source is read from. */
  readonly host: string;
  /** What must be stored encrypted. */
  readonly secret: string;
}

/** The source that a workspace is opened for. */
export interface SourceToOpen {
  readonly db: Queries;
  readonly siteId: string;
  readonly source: StoredSource;
  /** The decrypted secret of the source. */
  readonly secret: string;
}

/** What a request to the address for webhooks of a workspace means. */
export type WorkspaceWebhook =
  /** The first request of a subscription: the operator has to enter the token there, and it signs the later ones. */
  | { readonly kind: 'verification'; readonly token: string }
  /** Something has changed in the workspace. */
  | { readonly kind: 'change' }
  | { readonly kind: 'rejected' };

/** A request of a workspace. */
export interface SignedRequest {
  /** As it was received: the signature is computed from its bytes. */
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** What is particular to the sources of one type. Each type that Gatehouse reads itself has one in `connectors/`. */
export interface Connector {
  /** Checks what was entered in the field of `sourceTypes`. @throws {ApiError} `invalid_request` */
  readConnection(entered: string): EnteredConnection;
  /**
   * Checks the columns that were chosen.
   * @param path of the columns in the request
   * @throws {ApiError} `invalid_request`
   */
  checkColumns(path: string, columns: CollectionColumns): void;
  /** @throws {WorkspaceUnavailable} */
  open(source: SourceToOpen): Promise<Workspace>;
  /**
   * Reads a request of a webhook. Left out if the workspace reports no changes.
   * @param verificationToken of the subscription; null if there is none yet
   */
  readonly readWebhook?: (request: SignedRequest, verificationToken: string | null) => WorkspaceWebhook;
}
