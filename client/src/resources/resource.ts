import { type Call, toCall } from '../http/call.ts';
import type { Connection } from '../http/connection.ts';
import { List, type Page } from '../http/list.ts';
import type { ChangeOptions, CreateOptions } from '../http/options.ts';
import type { OperationId, Parts, ResponseBody } from '../http/shapes.ts';

type AnyOptions = CreateOptions & ChangeOptions;

/** The `data` of the response of an operation; undefined if the response has no body. */
type Data<Id extends OperationId> = ResponseBody<Id> extends { data: infer Value } ? Value : undefined;

/** The operations that return a page of a list. */
type PagedId = { [Id in OperationId]: ResponseBody<Id> extends Page<unknown> ? Id : never }[OperationId];

type Item<Id extends PagedId> = ResponseBody<Id> extends Page<infer Value> ? Value : never;

/** A part of the API. Its methods call operations, and its fields are parts of it. */
export abstract class Resource {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** @internal */
  protected get connection(): Connection {
    return this.#connection;
  }

  /** @internal Returns the `data` of the body, which has no other field; undefined for a response without a body. */
  protected call<Id extends OperationId>(id: Id, parts: Parts<Id>, options?: AnyOptions): Call<Data<Id>> {
    const response = this.#connection.send(id, parts, options);
    return toCall(response, (body) => (body as { data: unknown } | undefined)?.data as Data<Id>);
  }

  /** @internal Returns the whole body, which has fields beside `data`. */
  protected callForBody<Id extends OperationId>(
    id: Id,
    parts: Parts<Id>,
    options?: AnyOptions,
  ): Call<ResponseBody<Id>> {
    return toCall(this.#connection.send(id, parts, options), (body) => body);
  }

  /** @internal Returns the list that begins after `query.after`. */
  protected paginate<Id extends PagedId>(
    id: Id,
    parts: Parts<Id> & { query: { after?: string | undefined } },
    options?: AnyOptions,
  ): List<Item<Id>> {
    const { query } = parts;
    return new List(query.after, (after) =>
      toCall(
        this.#connection.send(id, { ...parts, query: { ...query, after } }, options),
        (page) => page as Page<Item<Id>>,
      ),
    );
  }
}
