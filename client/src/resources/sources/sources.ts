import { type Call, dataOf, toCall, whole } from '../../http/call.ts';
import type { Connection } from '../../http/connection.ts';
import { List } from '../../http/list.ts';
import type { CallOptions, ChangeOptions, CreateOptions } from '../../http/options.ts';
import type {
  AvailableCollections,
  CollectionPreview,
  CreateSource,
  DeleteSource,
  ListSourceRuns,
  ListSources,
  Source,
  SourceRun,
  SourceWebhook,
  SyncSource,
  UpdateSource,
  UploadCollectionPeople,
  UploadedPart,
} from '../../types.ts';
import type { WaitForRun } from './run-polling.ts';

/** External workspaces whose collections become scope groups. */
export class Sources {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The sources of the site, newest first. `limit` is the page size. */
  list(filter: ListSources = {}, options?: CallOptions): List<Source> {
    return new List(filter.after, (after) =>
      toCall(this.#connection.send('listSources', { query: { ...filter, after } }, options), whole),
    );
  }

  create(source: CreateSource, options?: CreateOptions): Call<Source> {
    return toCall(this.#connection.send('createSource', { body: source }, options), dataOf);
  }

  get(sourceId: string, options?: CallOptions): Call<Source> {
    return toCall(this.#connection.send('getSource', { params: { sourceId } }, options), dataOf);
  }

  /** Changes the given settings. */
  update(sourceId: string, changes: UpdateSource, options?: ChangeOptions): Call<Source> {
    return toCall(
      this.#connection.send('updateSource', { params: { sourceId }, body: changes }, options),
      dataOf,
    );
  }

  /** Permanent. Its groups become custom groups, or are deleted too; no member is deleted. */
  delete(sourceId: string, { groups }: DeleteSource = {}, options?: ChangeOptions): Call<void> {
    return toCall(
      this.#connection.send('deleteSource', { params: { sourceId }, query: { groups } }, options),
      whole<void>,
    );
  }

  /** The collections that the workspace shows now. */
  collections(sourceId: string, options?: CallOptions): Call<AvailableCollections> {
    return toCall(this.#connection.send('listSourceCollections', { params: { sourceId } }, options), dataOf);
  }

  /** The columns and the first ten rows of a collection, and a guess which columns to use. */
  preview(sourceId: string, collectionKey: string, options?: CallOptions): Call<CollectionPreview> {
    const params = { sourceId, collectionKey };
    return toCall(this.#connection.send('previewSourceCollection', { params }, options), dataOf);
  }

  /** Asks for a run as soon as possible. To wait for it, pass it to `waitForRun`. */
  sync(sourceId: string, body: SyncSource = {}, options?: CreateOptions): Call<SourceRun> {
    return toCall(this.#connection.send('syncSource', { params: { sourceId }, body }, options), dataOf);
  }

  /** How a workspace of Notion reports changes at once. */
  webhook(sourceId: string, options?: CallOptions): Call<SourceWebhook> {
    return toCall(this.#connection.send('getSourceWebhook', { params: { sourceId } }, options), dataOf);
  }

  /** Forgets the verification token of Notion, and accepts another one for 15 minutes. */
  resetWebhook(sourceId: string, options?: CallOptions): Call<void> {
    return toCall(
      this.#connection.send('resetSourceWebhook', { params: { sourceId } }, options),
      whole<void>,
    );
  }

  /** The runs of the last 90 days, newest first. */
  runs(sourceId: string, filter: ListSourceRuns = {}, options?: CallOptions): List<SourceRun> {
    return new List(filter.after, (after) =>
      toCall(
        this.#connection.send(
          'listSourceRuns',
          { params: { sourceId }, query: { ...filter, after } },
          options,
        ),
        whole,
      ),
    );
  }

  /** What a run has done so far. */
  getRun(sourceId: string, runId: string, options?: CallOptions): Call<SourceRun> {
    return toCall(this.#connection.send('getSourceRun', { params: { sourceId, runId } }, options), dataOf);
  }

  /**
   * Waits until a run has ended, and returns it. A run that has failed is returned too: check its `state`.
   * @throws GatehouseError; the reason of `signal` if that aborts
   */
  async waitForRun(
    { id, sourceId }: Pick<SourceRun, 'id' | 'sourceId'>,
    options: WaitForRun = {},
  ): Promise<SourceRun> {
    const { pollRun } = await import('./run-polling.ts');
    return pollRun(this.#connection, () => this.getRun(sourceId, id, { signal: options.signal }), options);
  }

  /** Uploads a part of the list of everybody in a collection. With `complete` the whole list is applied. */
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
