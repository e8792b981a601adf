import { type Call, dataOf, toCall, whole } from '../../http/call.ts';
import type { Connection } from '../../http/connection.ts';
import { List } from '../../http/list.ts';
import type { CallOptions, ChangeOptions, CreateOptions } from '../../http/options.ts';
import type {
  CreateSource,
  DeleteSource,
  ListSources,
  Source,
  SourceRun,
  SyncSource,
  UpdateSource,
} from '../../types.ts';
import { SourceCollections } from './source-collections.ts';
import { SourceRuns } from './source-runs.ts';
import { NotionWebhook } from './source-webhook.ts';

/** External workspaces whose collections become scope groups. */
export class Sources {
  /** The collections of a source. */
  readonly collections: SourceCollections;
  /** The runs that synchronize a source. */
  readonly runs: SourceRuns;
  /** How a workspace of Notion reports changes at once. */
  readonly webhook: NotionWebhook;
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
    this.collections = new SourceCollections(connection);
    this.runs = new SourceRuns(connection);
    this.webhook = new NotionWebhook(connection);
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
  delete(sourceId: string, filter: DeleteSource = {}, options?: ChangeOptions): Call<void> {
    return toCall(
      this.#connection.send('deleteSource', { params: { sourceId }, query: filter }, options),
      whole<void>,
    );
  }

  /** Asks for a run as soon as possible. `runs.wait` waits for it. */
  sync(sourceId: string, run: SyncSource = {}, options?: CreateOptions): Call<SourceRun> {
    return toCall(this.#connection.send('syncSource', { params: { sourceId }, body: run }, options), dataOf);
  }
}
