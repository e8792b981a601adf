import type {
  Content,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  Reference,
  ResponseObject,
} from '../src/openapi/document.ts';
import { breakingSchemaChanges, type Direction } from './breaking-schema-changes.ts';

/**
 * The changes of the current API that would break a client of the released one, as one sentence each. Additions are not
 * breaking: operations, optional parameters and fields, response fields, codes and statuses may be added.
 */
export function breakingChanges(released: OpenApiDocument, current: OpenApiDocument): string[] {
  const found: string[] = [];
  for (const [path, methods] of Object.entries(released.paths)) {
    for (const [method, before] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path}`;
      const after = current.paths[path]?.[method];
      if (!after) {
        found.push(`${name}: the operation is gone`);
        continue;
      }
      const comparison = new Comparison(name, released, current);
      comparison.compare(before, after);
      found.push(...comparison.found);
    }
  }
  return found;
}

class Comparison {
  readonly found: string[] = [];
  readonly #name: string;
  readonly #released: OpenApiDocument;
  readonly #current: OpenApiDocument;

  constructor(name: string, released: OpenApiDocument, current: OpenApiDocument) {
    this.#name = name;
    this.#released = released;
    this.#current = current;
  }

  compare(before: OperationObject, after: OperationObject): void {
    if (before.operationId !== after.operationId) this.#report(`operationId ${before.operationId} is gone`);
    this.#compareSecurity(before, after);
    this.#compareParameters(before, after);
    this.#compareRequestBody(before, after);
    this.#compareResponses(before, after);
  }

  #compareSecurity(before: OperationObject, after: OperationObject): void {
    if (after.security.length > 0 && before.security.length === 0) this.#report('a key is now needed');
    const granted = permissionsOf(before);
    for (const permission of permissionsOf(after)) {
      if (!granted.includes(permission)) this.#report(`the permission ${permission} is now needed`);
    }
  }

  #compareParameters(before: OperationObject, after: OperationObject): void {
    const released = parametersOf(before, this.#released);
    const current = parametersOf(after, this.#current);
    for (const [name, old] of released) {
      const now = current.get(name);
      if (!now) {
        this.#report(`the ${name} is gone`);
        continue;
      }
      if (now.required && !old.required) this.#report(`the ${name} is now required`);
      this.#compareSchemas(`the ${name}`, { schema: old.schema }, { schema: now.schema }, 'request');
    }
    for (const [name, now] of current) {
      if (now.required && !released.has(name)) this.#report(`the ${name} is new and required`);
    }
  }

  #compareRequestBody(before: OperationObject, after: OperationObject): void {
    if (after.requestBody?.required && !before.requestBody?.required) this.#report('a body is now required');
    if (!before.requestBody) return;
    this.#compareContent('the body', before.requestBody.content, after.requestBody?.content ?? {}, 'request');
  }

  #compareResponses(before: OperationObject, after: OperationObject): void {
    for (const [status, response] of Object.entries(before.responses)) {
      const now = after.responses[status];
      if (!now) {
        this.#report(`the status ${status} is gone`);
        continue;
      }
      this.#compareResponse(status, resolve(response, this.#released), resolve(now, this.#current));
    }
  }

  #compareResponse(status: string, before: ResponseObject, after: ResponseObject): void {
    for (const header of Object.keys(before.headers ?? {})) {
      if (!after.headers?.[header]) this.#report(`the header ${header} of ${status} is gone`);
    }
    const codes = codesOf(after);
    for (const code of codesOf(before)) {
      if (!codes.includes(code)) this.#report(`the code ${code} of ${status} is gone`);
    }
    this.#compareContent(`the response ${status}`, before.content ?? {}, after.content ?? {}, 'response');
  }

  #compareContent(what: string, before: Content, after: Content, direction: Direction): void {
    for (const [mediaType, old] of Object.entries(before)) {
      const now = after[mediaType];
      if (now) this.#compareSchemas(what, old, now, direction);
      else this.#report(`${what} is no longer ${mediaType}`);
    }
  }

  #compareSchemas(what: string, before: Described, after: Described, direction: Direction): void {
    const changes = breakingSchemaChanges(
      { schema: before.schema, components: this.#released.components.schemas },
      { schema: after.schema, components: this.#current.components.schemas },
      direction,
    );
    for (const { path, change } of changes) this.#report(`${what}${path && ` at ${path}`}: ${change}`);
  }

  #report(change: string): void {
    this.found.push(`${this.#name}: ${change}`);
  }
}

type Described = Pick<Content[string], 'schema'>;

function permissionsOf(operation: OperationObject): string[] {
  return operation.security.flatMap((requirement) => Object.values(requirement).flat());
}

function parametersOf(operation: OperationObject, document: OpenApiDocument): Map<string, ParameterObject> {
  return new Map(
    (operation.parameters ?? []).map((parameterOrReference) => {
      const parameter = resolve(parameterOrReference, document);
      return [`${parameter.in} parameter ${parameter.name}`, parameter];
    }),
  );
}

/** The error codes of a response are the names of its examples. */
function codesOf(response: ResponseObject): string[] {
  return Object.values(response.content ?? {}).flatMap(({ examples }) => Object.keys(examples ?? {}));
}

function resolve<Part extends object>(part: Part | Reference, document: OpenApiDocument): Part {
  if (!('$ref' in part)) return part;
  const names = part.$ref.replace('#/', '').split('/');
  const found = names.reduce<unknown>((value, name) => (value as Record<string, unknown>)?.[name], document);
  if (!found) throw new Error(`${part.$ref} points nowhere`);
  return found as Part;
}
