import type { Call } from '../../http/call.ts';
import type { List } from '../../http/list.ts';
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
import { Resource } from '../resource.ts';
import { SourceCollections } from './source-collections.ts';
import { SourceRuns } from './source-runs.ts';
import { NotionWebhook } from './source-webhook.ts';

/** External workspaces whose collections become scope groups. */
export class Sources extends Resource {
  /** The collections of a source. */
  readonly collections = new SourceCollections(this.connection);
  /** The runs that synchronize a source. */
  readonly runs = new SourceRuns(this.connection);
  /** How a workspace of Notion reports changes at once. */
  readonly webhook = new NotionWebhook(this.connection);

  /** The sources of the site, newest first. `limit` is the page size. */
  list(filter: ListSources = {}, options?: CallOptions): List<Source> {
    return this.paginate('listSources', { query: filter }, options);
  }

  create(source: CreateSource, options?: CreateOptions): Call<Source> {
    return this.call('createSource', { body: source }, options);
  }

  get(sourceId: string, options?: CallOptions): Call<Source> {
    return this.call('getSource', { params: { sourceId } }, options);
  }

  /** Changes the given settings. */
  update(sourceId: string, changes: UpdateSource, options?: ChangeOptions): Call<Source> {
    return this.call('updateSource', { params: { sourceId }, body: changes }, options);
  }

  /** Permanent. Its groups become custom groups, or are deleted too; no member is deleted. */
  delete(sourceId: string, filter: DeleteSource = {}, options?: ChangeOptions): Call<void> {
    return this.call('deleteSource', { params: { sourceId }, query: filter }, options);
  }

  /** Asks for a run as soon as possible. `runs.wait` waits for it. */
  sync(sourceId: string, run: SyncSource = {}, options?: CreateOptions): Call<SourceRun> {
    return this.call('syncSource', { params: { sourceId }, body: run }, options);
  }
}
