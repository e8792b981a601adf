import { type Call, dataOf, toCall } from '../../http/call.ts';
import type { Connection } from '../../http/connection.ts';
import type { CallOptions } from '../../http/options.ts';
import type {
  AvailableCollections,
  CollectionPreview,
  UploadCollectionPeople,
  UploadedPart,
} from '../../types.ts';

/** The collections of a source, such as the lists and databases of a workspace. */
export class SourceCollections {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The collections that the workspace shows now. */
  list(sourceId: string, options?: CallOptions): Call<AvailableCollections> {
    return toCall(this.#connection.send('listSourceCollections', { params: { sourceId } }, options), dataOf);
  }

  /** The columns and the first ten rows of a collection, and a guess which columns to use. */
  preview(sourceId: string, collectionKey: string, options?: CallOptions): Call<CollectionPreview> {
    const params = { sourceId, collectionKey };
    return toCall(this.#connection.send('previewSourceCollection', { params }, options), dataOf);
  }

  /** Uploads a part of the list of everyone in a collection. With `complete` the whole list is applied. */
  upload(
    sourceId: string,
    collectionKey: string,
    part: UploadCollectionPeople,
    options?: CallOptions,
  ): Call<UploadedPart> {
    const params = { sourceId, collectionKey };
    return toCall(this.#connection.send('uploadCollectionPeople', { params, body: part }, options), dataOf);
  }
}
