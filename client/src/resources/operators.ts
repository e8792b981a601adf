import type { Call } from '../http/call.ts';
import type { List } from '../http/list.ts';
import type { CallOptions, CreateOptions } from '../http/options.ts';
import type { InviteOperator, ListOperators, Operator, UpdateOperator } from '../types.ts';
import { Resource } from './resource.ts';

/** The people who manage the site in the dashboard. */
export class Operators extends Resource {
  /** The operators, newest first. `limit` is the page size. */
  list(filter: ListOperators = {}, options?: CallOptions): List<Operator> {
    return this.paginate('listOperators', { query: filter }, options);
  }

  /**
   * Gives a person a role and emails a link to the dashboard. Fails with `operator_exists` if the person is already an
   * operator.
   */
  invite(operator: InviteOperator, options?: CreateOptions): Call<Operator> {
    return this.call('inviteOperator', { body: operator }, options);
  }

  /** Changes the role. Fails with `last_owner` if the site would have no owner. */
  update(operatorId: string, changes: UpdateOperator, options?: CallOptions): Call<Operator> {
    return this.call('updateOperator', { params: { operatorId }, body: changes }, options);
  }

  /** Removes the role, effective immediately. Fails with `last_owner` if the site would have no owner. */
  remove(operatorId: string, options?: CallOptions): Call<void> {
    return this.call('removeOperator', { params: { operatorId } }, options);
  }
}
