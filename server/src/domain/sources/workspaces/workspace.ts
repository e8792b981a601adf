import type { CollectionColumns, CollectionPreview, SkipReason } from '@gatehouse/contract';

// What the synchronization needs to know about an external workspace. Each kind of source implements it.

/** A collection of a workspace, such as a table. */
export interface WorkspaceCollection {
  /** Identifies the collection in the workspace, also when it is renamed. */
  readonly key: string;
  readonly name: string;
}

/** A person of a collection, as written in the workspace. */
export interface WorkspacePerson {
  /** Where the person is in the collection, for people: "row 17". */
  readonly place: string;
  readonly email: string;
  /** Left out if the source has no names. Null if this person has none. */
  readonly displayName?: string | null;
  /** Left out if the source does not know who has paid. */
  readonly paid?: boolean;
  /** The groups of the person. Left out if the collection is one group. */
  readonly groups?: readonly string[];
  /** Why the row is not clear, so that the person stays as before. */
  readonly unclear?: { readonly reason: SkipReason; readonly value: string };
}

/** A collection whose people are read. */
export interface CollectionToRead {
  readonly key: string;
  /** Null if the workspace knows by itself what its columns mean. */
  readonly columns: CollectionColumns | null;
}

/** The current version of a collection. */
export interface CollectionReading {
  readonly name: string;
  /** Identifies this version; passed to the next `read`. Null if the workspace has no such token. */
  readonly token: string | null;
  /** Whether the collection is a group; otherwise its people name their groups. */
  readonly isGroup: boolean;
  /** Everyone in the collection. It throws when the workspace does not return everyone. */
  readonly people: AsyncIterable<WorkspacePerson>;
}

export interface Workspace {
  /** The collections that can be chosen. One that is missing here may still exist. @throws {WorkspaceUnavailable} */
  collections(signal: AbortSignal): AsyncIterable<WorkspaceCollection>;
  /**
   * The columns and the first rows of a collection.
   * @throws {CollectionGone}
   * @throws {CollectionUnreadable}
   * @throws {WorkspaceUnavailable}
   */
  preview(key: string, signal: AbortSignal): Promise<CollectionPreview>;
  /**
   * Reads a collection. Returns undefined if it has not changed since the version of the token. The result may throw
   * the same errors while its people are read.
   * @throws {CollectionGone}
   * @throws {CollectionUnreadable}
   * @throws {WorkspaceUnavailable}
   */
  read(
    collection: CollectionToRead,
    token: string | null,
    signal: AbortSignal,
  ): Promise<CollectionReading | undefined>;
}

/** The number of rows in a preview. */
export const previewRows = 10;

const maxPreviewLength = 200;

/** A value as it is shown in a preview. */
export function previewText(value: string): string {
  if (value.length <= maxPreviewLength) return value;
  // Half of a surrogate pair is not a character.
  return `${value.slice(0, maxPreviewLength).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** The workspace says that it has no such collection, or that it is not shared with Gatehouse. */
export class CollectionGone extends Error {
  constructor() {
    super('The workspace no longer has this collection, or no longer shares it.');
    this.name = 'CollectionGone';
  }
}

/** One collection cannot be read completely; the others are not affected. */
export class CollectionUnreadable extends Error {
  readonly code: 'incomplete' | 'too_large' | 'rejected' | 'columns_missing';

  /** `message` is shown to operators: what happened and what to do. */
  constructor(code: CollectionUnreadable['code'], message: string) {
    super(message);
    this.name = 'CollectionUnreadable';
    this.code = code;
  }
}

/** The workspace as a whole does not respond or rejects the requests. */
export class WorkspaceUnavailable extends Error {
  readonly code: 'unavailable' | 'rejected';
  /** When the workspace wants to be read again. */
  readonly retryAfterSeconds: number | undefined;

  /** `message` is shown to operators: what happened and what to do. */
  constructor(code: WorkspaceUnavailable['code'], message: string, retryAfterSeconds?: number) {
    super(message);
    this.name = 'WorkspaceUnavailable';
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
