import type { Static, TSchema } from 'typebox';

interface Described {
  readonly type?: string | readonly string[];
  readonly examples?: readonly unknown[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
  readonly oneOf?: readonly TSchema[];
}

/**
 * A value that matches the schema, built from the examples in it, so that each example is written only once, next to
 * its field.
 * @throws if a part has no example.
 */
export function exampleOf<Schema extends TSchema>(schema: Schema): Static<Schema> {
  return partOf(schema) as Static<Schema>;
}

function partOf(schema: Described): unknown {
  if (schema.examples) return schema.examples[0];
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  const first = schema.oneOf?.[0] ?? schema.anyOf?.[0];
  if (first) return partOf(first);
  if (schema.items) return [partOf(schema.items)];
  if (schema.properties) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, property]) => [name, partOf(property)]),
    );
  }
  throw new Error(`A schema has no example: ${JSON.stringify(schema)}`);
}
