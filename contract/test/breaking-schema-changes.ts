import type { JsonSchema } from '../src/openapi/document.ts';

/**
 * The direction in which the values are sent: the accepted requests must not shrink, the possible responses must not
 * grow.
 */
export type Direction = 'request' | 'response';

/** A schema, with the named schemas that it refers to. */
export interface SchemaInDocument {
  readonly schema: JsonSchema;
  readonly components: Readonly<Record<string, JsonSchema>>;
}

export interface SchemaChange {
  /** The names of the fields from the outside in, `[]` for the items of a list; empty for the whole schema. */
  readonly path: string;
  readonly change: string;
}

/** The differences between two schemas that break a client that was written against the first. */
export function breakingSchemaChanges(
  before: SchemaInDocument,
  after: SchemaInDocument,
  direction: Direction,
): SchemaChange[] {
  return compare(before, after, { direction, path: '', seen: new Set() });
}

interface CursorPosition {
  readonly direction: Direction;
  readonly path: string;
  /** The references already followed, so that a recursive schema ends. */
  readonly seen: ReadonlySet<string>;
}

function compare(before: SchemaInDocument, after: SchemaInDocument, place: CursorPosition): SchemaChange[] {
  const reference = before.schema.$ref;
  if (reference !== undefined && place.seen.has(reference)) return [];
  const within = reference === undefined ? place : { ...place, seen: new Set([...place.seen, reference]) };
  const old = resolve(before);
  const now = resolve(after);
  const inside = (part: (schema: JsonSchema) => JsonSchema | undefined, path: string) => {
    const [first, second] = [part(old), part(now)];
    if (!first || !second) return [];
    return compare({ ...before, schema: first }, { ...after, schema: second }, { ...within, path });
  };
  const here = [
    ...typeChanges(old, now, place.direction),
    ...enumChanges(old, now, place.direction),
    ...(place.direction === 'request' ? requestChanges(old, now) : responseChanges(old, now)),
  ].map((change) => ({ path: place.path, change }));
  const fields = Object.keys(old.properties ?? {}).flatMap((name) =>
    inside((schema) => schema.properties?.[name], place.path ? `${place.path}.${name}` : name),
  );
  const items = inside((schema) => schema.items, `${place.path}[]`);
  const options = optionsOf(old).flatMap((option) =>
    option.$ref
      ? inside((schema) => optionsOf(schema).find(({ $ref }) => $ref === option.$ref), place.path)
      : [],
  );
  return [...here, ...fields, ...items, ...options];
}

function typeChanges(old: JsonSchema, now: JsonSchema, direction: Direction): string[] {
  const [before, after] = [typesOf(old), typesOf(now)];
  const [narrow, wide] = direction === 'request' ? [before, after] : [after, before];
  const fits = narrow.every((type) => wide.includes(type) || (type === 'integer' && wide.includes('number')));
  return fits ? [] : [`the type was ${before.join(' or ')} and is ${after.join(' or ')}`];
}

function enumChanges(old: JsonSchema, now: JsonSchema, direction: Direction): string[] {
  const gone = missing(old['x-extensible-enum'], now['x-extensible-enum'] ?? []).map(
    (value) => `the value ${value} is gone`,
  );
  const [before, after] = [valuesOf(old), valuesOf(now)];
  if (direction === 'request') {
    if (!after) return gone;
    if (!before) return [...gone, 'only some values are accepted now'];
    return [...gone, ...missing(before, after).map((value) => `the value ${value} is no longer accepted`)];
  }
  if (!before) return gone;
  if (!after) return [...gone, 'the list of values is now open'];
  // Clients may rely on a closed list staying closed; a list that may grow is written with x-extensible-enum.
  return [...gone, ...missing(after, before).map((value) => `the value ${value} is new in a closed list`)];
}

const lowerBounds = ['minLength', 'minimum', 'minItems', 'minProperties'] as const;
const upperBounds = ['maxLength', 'maximum', 'maxItems'] as const;
const forms = ['format', 'pattern'] as const;

function requestChanges(old: JsonSchema, now: JsonSchema): string[] {
  const changes: string[] = [];
  for (const name of missing(now.required, old.required ?? [])) changes.push(`${name} is now required`);
  for (const name of missing(propertiesOf(old), propertiesOf(now)))
    changes.push(`${name} is no longer accepted`);
  if (
    now.additionalProperties === false &&
    old.additionalProperties !== false &&
    typesOf(old).includes('object')
  ) {
    changes.push('further fields are no longer accepted');
  }
  for (const bound of lowerBounds) {
    const unbounded = bound === 'minimum' ? -Infinity : 0;
    if ((now[bound] ?? unbounded) > (old[bound] ?? unbounded)) changes.push(`${bound} rose to ${now[bound]}`);
  }
  for (const bound of upperBounds) {
    if ((now[bound] ?? Infinity) < (old[bound] ?? Infinity)) changes.push(`${bound} fell to ${now[bound]}`);
  }
  for (const form of forms) {
    if (now[form] !== undefined && now[form] !== old[form]) changes.push(`${form} is now ${now[form]}`);
  }
  changes.push(...lostShapes(old, now));
  if (old.default !== undefined && now.default !== old.default)
    changes.push(`the default is now ${now.default}`);
  return changes;
}

function responseChanges(old: JsonSchema, now: JsonSchema): string[] {
  const changes: string[] = [];
  for (const name of missing(propertiesOf(old), propertiesOf(now))) changes.push(`${name} is gone`);
  for (const name of missing(old.required, now.required ?? [])) {
    if (propertiesOf(now).includes(name)) changes.push(`${name} may now be absent`);
  }
  if (old.format !== undefined && now.format !== old.format)
    changes.push(`the format is no longer ${old.format}`);
  changes.push(...lostShapes(old, now));
  // Clients may rely on a list of shapes being complete, unless it is marked as extensible.
  if (old.oneOf && !old.discriminator?.['x-extensible']) {
    changes.push(...lostShapes(now, old, 'is new in a closed list'));
  }
  return changes;
}

function lostShapes(some: JsonSchema, others: JsonSchema, what = 'is gone'): string[] {
  const shapes = optionsOf(others).map(({ $ref }) => $ref);
  return optionsOf(some).flatMap(({ $ref }) =>
    $ref && !shapes.includes($ref) ? [`the shape ${$ref.split('/').at(-1)} ${what}`] : [],
  );
}

const everyType = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

function typesOf({ type }: JsonSchema): string[] {
  return type === undefined ? everyType : [type].flat();
}

function optionsOf({ oneOf, anyOf }: JsonSchema): readonly JsonSchema[] {
  return oneOf ?? anyOf ?? [];
}

function valuesOf(schema: JsonSchema): unknown[] | undefined {
  return 'const' in schema ? [schema.const] : schema.enum;
}

function propertiesOf(schema: JsonSchema): string[] {
  return Object.keys(schema.properties ?? {});
}

/** The values of the first list that are not in the second. */
function missing<Value>(values: readonly Value[] | undefined, others: readonly Value[]): Value[] {
  return (values ?? []).filter((value) => !others.includes(value));
}

function resolve({ schema, components }: SchemaInDocument): JsonSchema {
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.replace('#/components/schemas/', '');
  const found = components[name];
  if (!found) throw new Error(`${schema.$ref} points nowhere`);
  return found;
}
