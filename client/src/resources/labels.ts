import { type Call, dataOf, toCall, whole } from '../http/call.ts';
import type { Connection } from '../http/connection.ts';
import { List } from '../http/list.ts';
import type { CallOptions, ChangeOptions, CreateOptions } from '../http/options.ts';
import type { CreateLabel, Label, ListLabels } from '../types.ts';

/** Words with which operators mark members. */
export class Labels {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The labels of the site, newest first. `limit` is the page size. */
  list(filter: ListLabels = {}, options?: CallOptions): List<Label> {
    return new List(filter.after, (after) =>
      toCall(this.#connection.send('listLabels', { query: { ...filter, after } }, options), whole),
    );
  }

  create(label: CreateLabel, options?: CreateOptions): Call<Label> {
    return toCall(this.#connection.send('createLabel', { body: label }, options), dataOf);
  }

  get(labelId: string, options?: CallOptions): Call<Label> {
    return toCall(this.#connection.send('getLabel', { params: { labelId } }, options), dataOf);
  }

  /** Permanent. */
  delete(labelId: string, options?: ChangeOptions): Call<void> {
    return toCall(this.#connection.send('deleteLabel', { params: { labelId } }, options), whole<void>);
  }
}
