import type { Call } from '../../http/call.ts';
import type { CallOptions } from '../../http/options.ts';
import type {
  AvailableCollections,
  CollectionPreview,
  UploadCollectionPeople,
  UploadedPart,
} from '../../types.ts';
import { Resource } from '../resource.ts';

/** The collections of a source, such as the lists and databases of a workspace. */
export class SourceCollections extends Resource {
  /** The collections that the workspace shows now. */
  list(sourceId: string, options?: CallOptions): Call<AvailableCollections> {
    return this.call('listSourceCollections', { params: { sourceId } }, options);
  }

  /** The columns and the first ten rows of a collection, and a guess which columns to use. */
  preview(sourceId: string, collectionKey: string, options?: CallOptions): Call<CollectionPreview> {
    return this.call('previewSourceCollection', { params: { sourceId, collectionKey } }, options);
  }

  /** Uploads a part of the list of everyone in a collection. With `complete` the whole list is applied. */
  upload(
    sourceId: string,
    collectionKey: string,
    part: UploadCollectionPeople,
    options?: CallOptions,
  ): Call<UploadedPart> {
    return this.call('uploadCollectionPeople', { params: { sourceId, collectionKey }, body: part }, options);
  }
}
