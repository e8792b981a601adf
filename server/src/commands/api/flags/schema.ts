/** The parts of a JSON Schema of the contract that the command line reads. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly 'x-extensible-enum'?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly const?: unknown;
  readonly oneOf?: readonly Schema[];
}

/** The properties of an object, of all its variants together: those that every variant requires are required. */
export function propertiesOf({ properties = {}, required = [], oneOf }: Schema) {
  if (oneOf === undefined) return { properties, required };
  const merged: Record<string, Schema> = {};
  for (const variant of oneOf)
    for (const [name, schema] of Object.entries(variant.properties ?? {}))
      merged[name] = merged[name] ? withEachConstant(merged[name], schema) : schema;
  const names = Object.keys(merged).filter((name) => oneOf.every((each) => each.required?.includes(name)));
  return { properties: merged, required: names };
}

/** A property that has one value in each variant has a choice of them in all. */
function withEachConstant(known: Schema, { const: value }: Schema): Schema {
  if (value === undefined) return known;
  const { const: first, enum: values = [first], description, ...schema } = known;
  return { ...schema, enum: [...values, value] };
}

export function typesOf({ type = [] }: Schema): readonly string[] {
  return typeof type === 'string' ? [type] : type;
}

/** The first sentence of a description, as plain text. */
export function firstSentence(description = ''): string {
  const [sentence = ''] = /^.*?(?:\.(?=\s)|$)/s.exec(description) ?? [];
  return lowered(sentence.replaceAll('`', '').replace(/\.$/, ''));
}

/** As the descriptions of the other commands begin; a name such as `API` or `IP` stays. */
export function lowered(text: string): string {
  return /^[A-Z](?![A-Z])/.test(text) ? `${text[0]!.toLowerCase()}${text.slice(1)}` : text;
}
