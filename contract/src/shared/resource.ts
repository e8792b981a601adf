import type { TObject, TProperties, TSchema } from 'typebox';
import type { Permission } from '../credentials/permissions.ts';
import type { ErrorCode } from './error-codes.ts';
import type { FurtherPermission, Method, Operation } from './operation.ts';
import { notFoundCodesOf, type ParamsOf, paramsOf } from './path-parameters.ts';
import { all, closed, type OptionalOf, optional, page, pageParameters, single } from './schemas.ts';
import type { Tag } from './tags.ts';

type NoProperties = Record<never, never>;
type Success = Operation['success'];

/** What an operation states. The rest follows from its kind, its path and its resource. */
interface Stated<Path extends string, Query = NoProperties> {
  /** Its parameters are those of `path-parameters.ts`. */
  readonly path: Path;
  readonly summary: string;
  readonly description: string;
  /** Defaults to that of the resource for reading or for changing. */
  readonly permission?: Permission;
  readonly furtherPermissions?: readonly FurtherPermission[];
  readonly ownKey?: string;
  /** Also adds a sentence to the description. */
  readonly recentLogin?: true;
  readonly unconditional?: true;
  /** Also adds a sentence to the description. */
  readonly maxPerMinute?: number;
  /** Its properties are optional. */
  readonly query?: Query;
  /** What the response has. Defaults to a sentence with the name of the resource. */
  readonly success?: string;
  readonly headers?: Success['headers'];
  /** The error codes for ids that belong to nothing. Defaults to those of the parameters in the path. */
  readonly notFound?: readonly ErrorCode[];
  /** Further error codes. */
  readonly errors?: readonly ErrorCode[];
}

interface StatedRead<Path extends string, Item, Query = NoProperties> extends Stated<Path, Query> {
  readonly returns: Item;
}

interface StatedChange<Path extends string, Item, Body> extends Stated<Path> {
  readonly body?: Body;
  readonly returns: Item;
}

/** What follows from the kind of an operation. */
interface Kind<Verb extends Method, Body, ResponseBody> {
  readonly method: Verb;
  readonly status: Success['status'];
  readonly success: string;
  readonly headers?: Success['headers'];
  readonly body: Body;
  readonly responseBody: ResponseBody;
}

/** An operation that `named` gives its id. */
type Unnamed<
  Verb extends Method,
  Path extends string,
  Query extends TProperties,
  Body extends TSchema | null,
  ResponseBody extends TSchema | null,
> = Omit<Operation<ParamsOf<Path>, TObject<OptionalOf<Query>>, Body, ResponseBody>, 'id' | 'method'> & {
  readonly method: Verb;
};

interface ResourceDescription {
  readonly tag: Tag;
  /** One of it in a sentence: `access group`. */
  readonly name: string;
  /** The permissions of the operations that read it and that change it. Some state another one. */
  readonly read: Permission;
  readonly write: Permission;
}

/** Builds the operations of a resource. */
export class Resource {
  readonly #about: ResourceDescription;

  constructor(about: ResourceDescription) {
    this.#about = about;
  }

  /** A page of a list. `query` has the filters. */
  list<Path extends string, Item extends TSchema, Filters extends TProperties = NoProperties>(
    stated: StatedRead<Path, Item, Filters>,
  ) {
    const query: typeof pageParameters & Filters = { ...pageParameters, ...(stated.query as Filters) };
    const paged = { ...stated, query };
    return this.#operation(paged, {
      method: 'GET',
      status: 200,
      success: `A page of ${this.#about.name}s.`,
      headers: ['Link'],
      body: null,
      responseBody: page(stated.returns),
    });
  }

  /** A list without pages. */
  listAll<Path extends string, Item extends TSchema>(stated: StatedRead<Path, Item>) {
    return this.#operation(stated, {
      method: 'GET',
      status: 200,
      success: `The ${this.#about.name}s.`,
      body: null,
      responseBody: all(stated.returns),
    });
  }

  get<Path extends string, Item extends TSchema, Query extends TProperties = NoProperties>(
    stated: StatedRead<Path, Item, Query>,
  ) {
    return this.#operation(stated, {
      method: 'GET',
      status: 200,
      success: `The ${this.#about.name}.`,
      headers: ['ETag'],
      body: null,
      responseBody: single(stated.returns),
    });
  }

  create<Path extends string, Item extends TSchema, Body extends TSchema | null = null>(
    stated: StatedChange<Path, Item, Body>,
  ) {
    return this.#operation(stated, {
      method: 'POST',
      status: 201,
      success: `The new ${this.#about.name}.`,
      headers: ['Location', 'ETag'],
      body: bodyOf(stated),
      responseBody: single(stated.returns),
    });
  }

  update<Path extends string, Item extends TSchema, Body extends TSchema>(
    stated: StatedChange<Path, Item, Body>,
  ) {
    return this.#change('PATCH', stated);
  }

  /** An update of the whole. */
  replace<Path extends string, Item extends TSchema, Body extends TSchema>(
    stated: StatedChange<Path, Item, Body>,
  ) {
    return this.#change('PUT', stated);
  }

  delete<Path extends string, Query extends TProperties = NoProperties>(stated: Stated<Path, Query>) {
    return this.#operation(stated, {
      method: 'DELETE',
      status: 204,
      success: `The ${this.#about.name} is deleted.`,
      body: null,
      responseBody: null,
    });
  }

  /** A DELETE that says what it has done. */
  deleteAll<Path extends string, Item extends TSchema>(stated: StatedRead<Path, Item>) {
    return this.#operation(stated, {
      method: 'DELETE',
      status: 200,
      success: `The ${this.#about.name}s are deleted.`,
      body: null,
      responseBody: single(stated.returns),
    });
  }

  /** A POST that does something else with one of it. */
  act<Path extends string, Item extends TSchema, Body extends TSchema | null = null>(
    stated: StatedChange<Path, Item, Body>,
  ) {
    return this.#post(200, stated, single(stated.returns));
  }

  /** A POST that changes many, with a result for each. */
  bulk<Path extends string, ResponseBody extends TSchema, Body extends TSchema>(
    stated: StatedChange<Path, ResponseBody, Body>,
  ) {
    return this.#post(207, stated, stated.returns);
  }

  /** A POST that changes nothing, such as a query with a body. */
  lookUp<Path extends string, ResponseBody extends TSchema, Body extends TSchema | null = null>(
    stated: StatedChange<Path, ResponseBody, Body>,
  ) {
    const permission = stated.permission ?? this.#about.read;
    const operation = this.#post(200, { ...stated, permission }, stated.returns);
    return { ...operation, readOnly: true } as const;
  }

  #change<Verb extends Method, Path extends string, Item extends TSchema, Body extends TSchema>(
    method: Verb,
    stated: StatedChange<Path, Item, Body>,
  ) {
    return this.#operation(stated, {
      method,
      status: 200,
      success: `The ${this.#about.name} after the change.`,
      headers: stated.unconditional ? [] : ['ETag'],
      body: bodyOf(stated),
      responseBody: single(stated.returns),
    });
  }

  #post<Path extends string, Body extends TSchema | null, ResponseBody extends TSchema>(
    status: Success['status'],
    stated: StatedChange<Path, unknown, Body>,
    responseBody: ResponseBody,
  ) {
    const success = `The ${this.#about.name}.`;
    return this.#operation(stated, { method: 'POST', status, success, body: bodyOf(stated), responseBody });
  }

  #operation<
    Path extends string,
    Query extends TProperties,
    Verb extends Method,
    Body extends TSchema | null,
    ResponseBody extends TSchema | null,
  >(
    stated: Stated<Path, Query>,
    kind: Kind<Verb, Body, ResponseBody>,
  ): Unnamed<Verb, Path, Query, Body, ResponseBody> {
    const { path, summary, furtherPermissions, ownKey, recentLogin, unconditional, maxPerMinute } = stated;
    const { tag, read, write } = this.#about;
    const { method, status, body, responseBody } = kind;
    return {
      method,
      path,
      tag,
      summary,
      description: descriptionOf(stated),
      permission: stated.permission ?? (method === 'GET' ? read : write),
      ...(furtherPermissions && { furtherPermissions }),
      ...(ownKey && { ownKey }),
      ...(recentLogin && { recentLogin }),
      ...(unconditional && { unconditional }),
      ...(maxPerMinute && { maxPerMinute }),
      params: paramsOf(path),
      query: closed(optional((stated.query ?? {}) as Query)),
      body,
      success: {
        status,
        description: stated.success ?? kind.success,
        body: responseBody,
        headers: stated.headers ?? kind.headers ?? [],
      },
      errors: [...(stated.notFound ?? notFoundCodesOf(path)), ...(stated.errors ?? [])],
    };
  }
}

function descriptionOf({ description, recentLogin, maxPerMinute }: Stated<string, unknown>): string {
  return [
    description,
    recentLogin && 'An operator must have logged in within the last 15 minutes.',
    maxPerMinute && `A key, or an operator, can send ${maxPerMinute} requests in a minute.`,
  ]
    .filter(Boolean)
    .join(' ');
}

function bodyOf<Body extends TSchema | null>({ body }: { readonly body?: Body }): Body {
  return (body ?? null) as Body;
}

/** Operations with the names of their properties as ids. */
export function named<Operations extends Readonly<Record<string, object>>>(operations: Operations) {
  const entries = Object.entries(operations).map(([id, operation]) => [id, { id, ...operation }]);
  return Object.fromEntries(entries) as {
    readonly [Id in keyof Operations]: Operations[Id] & { readonly id: Id };
  };
}
