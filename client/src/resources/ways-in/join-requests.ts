import type { Call } from '../../http/call.ts';
import type { List } from '../../http/list.ts';
import type { CallOptions, CreateOptions } from '../../http/options.ts';
import type { DecideJoinRequests, JoinRequest, JoinRequestDecisions, ListJoinRequests } from '../../types.ts';
import { Resource } from '../resource.ts';

/** The people who ask to become members, and the members who ask for access. */
export class JoinRequests extends Resource {
  /** Requests that match all given filters, newest first. `limit` is the page size. */
  list(filter: ListJoinRequests = {}, options?: CallOptions): List<JoinRequest> {
    return this.paginate('listJoinRequests', { query: filter }, options);
  }

  get(joinRequestId: string, options?: CallOptions): Call<JoinRequest> {
    return this.call('getJoinRequest', { params: { joinRequestId } }, options);
  }

  /**
   * Approves or declines up to 500 requests. Each is decided or fails individually: check the results, which are in the
   * order submitted.
   */
  decide(decision: DecideJoinRequests, options?: CreateOptions): Call<JoinRequestDecisions> {
    return this.callForBody('decideJoinRequests', { body: decision }, options);
  }
}
