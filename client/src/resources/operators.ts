import { type Call, dataOf, toCall, whole } from '../http/call.ts';
import type { Connection } from '../http/connection.ts';
import { List } from '../http/list.ts';
import type { CallOptions, CreateOptions } from '../http/options.ts';
import type { InviteOperator, ListOperators, Operator, UpdateOperator } from '../types.ts';

/** The people who manage the site in the dashboard. */
export class Operators {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The operators, newest first. `limit` is the page size. */
  list(filter: ListOperators = {}, options?: CallOptions): List<Operator> {
    return new List(filter.after, (after) =>
      toCall(this.#connection.send('listOperators', { query: { ...filter, after } }, options), whole),
    );
  }

  /**
   * Gives a person a role and emails a link to the dashboard. Fails with `operator_exists` if the person is already an
   * operator.
   */
  invite(operator: InviteOperator, options?: CreateOptions): Call<Operator> {
    return toCall(this.#connection.send('inviteOperator', { body: operator }, options), dataOf);
  }

  /** Changes the role. Fails with `last_owner` if the site would have no owner. */
  update(operatorId: string, changes: UpdateOperator, options?: CallOptions): Call<Operator> {
    return toCall(
      this.#connection.send('updateOperator', { params: { operatorId }, body: changes }, options),
      dataOf,
    );
  }

  /** Removes the role, effective immediately. Fails with `last_owner` if the site would have no owner. */
  remove(operatorId: string, options?: CallOptions): Call<void> {
    return toCall(this.#connection.send('removeOperator', { params: { operatorId } }, options), whole<void>);
  }
}
