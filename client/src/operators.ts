import { type Call, dataOf, toCall, whole } from './call.ts';
import type { Connection } from './connection.ts';
import { List } from './list.ts';
import type { CallOptions, CreateOptions } from './options.ts';
import type { InviteOperator, ListOperators, Operator, UpdateOperator } from './types.ts';

/** The people who run the site at the dashboard. */
export class Operators {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The operators, newest first. `limit` is the size of a page. */
  list(filter: ListOperators = {}, options?: CallOptions): List<Operator> {
    return new List(filter.after, (after) =>
      toCall(this.#connection.send('listOperators', { query: { ...filter, after } }, options), whole),
    );
  }

  /** Gives a person a role, and mails how to get to the dashboard. Fails with `operator_exists` when there is one already. */
  invite(operator: InviteOperator, options?: CreateOptions): Call<Operator> {
    return toCall(this.#connection.send('inviteOperator', { body: operator }, options), dataOf);
  }

  /** Changes the role. Fails with `last_owner` when nobody would own the site any more. */
  update(operatorId: string, changes: UpdateOperator, options?: CallOptions): Call<Operator> {
    return toCall(
      this.#connection.send('updateOperator', { params: { operatorId }, body: changes }, options),
      dataOf,
    );
  }

  /** Takes the role away, at once everywhere. Fails with `last_owner` when nobody would own the site any more. */
  remove(operatorId: string, options?: CallOptions): Call<void> {
    return toCall(this.#connection.send('removeOperator', { params: { operatorId } }, options), whole<void>);
  }
}
