import type { JsonSchema } from './document.ts';

/** Collects the named schemas of the document. A schema is named by its `title`. */
export class NamedSchemas {
  readonly schemas: Record<string, JsonSchema> = {};

  /** The schema with every named schema, itself included, replaced by a reference. */
  refer(schema: object): JsonSchema {
    const { title, ...unnamed } = schema as JsonSchema;
    if (title === undefined) return this.#referWithin(unnamed);
    const described = this.#referWithin(unnamed);
    const known = this.schemas[title];
    if (known && JSON.stringify(known) !== JSON.stringify(described)) {
      throw new Error(`Two different schemas have the name ${title}`);
    }
    this.schemas[title] = described;
    return { $ref: `#/components/schemas/${title}` };
  }

  /** The named schemas sorted by name, so that the document changes only where the API changes. */
  sorted(): Record<string, JsonSchema> {
    return Object.fromEntries(Object.entries(this.schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #referWithin(schema: JsonSchema): JsonSchema {
    const result = { ...schema };
    if (schema.items) result.items = this.refer(schema.items);
    if (schema.anyOf) {
      result.anyOf = schema.anyOf.map((option) => this.refer(option));
      // The reference at /docs reports schemas without a type in the console of the browser.
      result.type ??= typesOf(schema.anyOf);
    }
    if (schema.oneOf) result.oneOf = schema.oneOf.map((option) => this.refer(option));
    if (schema.discriminator) result.discriminator = this.#mapped(schema);
    if (schema.properties) {
      result.properties = Object.fromEntries(
        Object.entries(schema.properties).map(([name, property]) => [name, this.refer(property)]),
      );
    }
    return result;
  }

  /** The discriminator with a mapping from each of its values to a schema. */
  #mapped({ discriminator, oneOf = [] }: JsonSchema): NonNullable<JsonSchema['discriminator']> {
    const { propertyName, ...rest } = discriminator!;
    const mapping = oneOf.flatMap((option) => {
      const tag = option.properties?.[propertyName] ?? {};
      const values = 'const' in tag ? [tag.const] : (tag.enum ?? []);
      return values.map((value) => [String(value), this.refer(option).$ref!] as const);
    });
    return { propertyName, mapping: Object.fromEntries(mapping), ...rest };
  }
}

/** The JSON types of any of the schemas. */
function typesOf(schemas: readonly JsonSchema[]): string | string[] {
  const types = [...new Set(schemas.flatMap(({ type = [] }) => type))];
  return types.length === 1 ? types[0]! : types;
}
