import type { Call } from '../../http/call.ts';
import type { List } from '../../http/list.ts';
import type { CallOptions } from '../../http/options.ts';
import type { ListSourceRuns, SourceRun } from '../../types.ts';
import { Resource } from '../resource.ts';
import type { WaitForRun } from './run-polling.ts';

/** The runs that synchronize a source. */
export class SourceRuns extends Resource {
  /** The runs of the last 90 days, newest first. */
  list(sourceId: string, filter: ListSourceRuns = {}, options?: CallOptions): List<SourceRun> {
    return this.paginate('listSourceRuns', { params: { sourceId }, query: filter }, options);
  }

  /** What a run has done so far. */
  get(sourceId: string, runId: string, options?: CallOptions): Call<SourceRun> {
    return this.call('getSourceRun', { params: { sourceId, runId } }, options);
  }

  /**
   * Waits until a run has ended, and returns it. A run that has failed is returned too: check its `status`.
   * @throws GatehouseError; the reason of `signal` if that aborts
   */
  async wait(sourceId: string, runId: string, options: WaitForRun = {}): Promise<SourceRun> {
    const { pollRun } = await import('./run-polling.ts');
    const read = () => this.get(sourceId, runId, { signal: options.signal });
    return pollRun(this.connection, read, options);
  }
}
