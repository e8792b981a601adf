import {
  type Checker,
  NodeBuilderFlags,
  SymbolFlags,
  type Type,
  TypeFlags,
  type TypeReference,
} from 'typescript/unstable/sync';
import type { Schema } from './schemas.ts';

const inFull =
  NodeBuilderFlags.NoTruncation |
  NodeBuilderFlags.InTypeAlias |
  NodeBuilderFlags.UseSingleQuotesForStringLiteralType;
/** A list of literals up to this length says more than its name. */
const longestInline = 70;

/** Writes the types of a file out, down to primitives and to each other's names. */
export function writeDeclarations(
  checker: Checker,
  types: readonly { name: string; type: Type; comment: string; schema: Schema | undefined }[],
): string {
  // Types that are the same are not always the same object, so they are known by their whole text.
  const names = new Map<string, string>();
  const inWhole = new TypeWriter(checker, () => undefined);
  for (const { name, type } of types) {
    const text = inWhole.write(type);
    if (text.includes('{') || text.length > longestInline) names.set(text, name);
  }
  const writer = new TypeWriter(checker, (type) => names.get(inWhole.write(type)));
  const declarations = types.map(({ name, type, comment, schema }) => {
    const text = writer.write(type, schema);
    return `${toComment(comment || schema?.description, '')}export type ${name} = ${text};\n`;
  });
  return declarations.join('\n');
}

class TypeWriter {
  readonly #checker: Checker;
  readonly #nameOf: (type: Type) => string | undefined;

  constructor(checker: Checker, nameOf: (type: Type) => string | undefined) {
    this.#checker = checker;
    this.#nameOf = nameOf;
  }

  /** The type in full; only its parts go by name. */
  write(type: Type, schema?: Schema, indent = ''): string {
    if (type.flags & TypeFlags.Any) throw new Error('A type could not be resolved.');
    if (type.isUnionType()) return this.#union(type, type.getTypes(), schema, indent);
    if (this.#checker.isArrayType(type) && type.isTypeReference()) return this.#array(type, schema, indent);
    if (type.isObjectType()) return this.#object(type, schema, indent);
    return this.#simple(type);
  }

  #part(type: Type, schema: Schema | undefined, indent: string): string {
    return this.#nameOf(type) ?? this.write(type, schema, indent);
  }

  #simple(type: Type): string {
    return this.#checker.typeToString(type, undefined, inFull);
  }

  #union(type: Type, members: readonly Type[], schema: Schema | undefined, indent: string): string {
    const objects = members.filter((member) => member.isObjectType());
    if (objects.length === 0) return this.#list(type, members);
    const others = members.filter((member) => !member.isObjectType());
    return [
      ...objects.map((member) => this.#part(member, this.#optionFor(member, schema), indent)),
      ...others.map((member) => this.#simple(member)),
    ].join(' | ');
  }

  /** The shape, of those that a schema lists, which has the fields of a type. */
  #optionFor(type: Type, schema: Schema | undefined): Schema | undefined {
    const options = schema?.oneOf ?? schema?.anyOf;
    const names = this.#checker.getPropertiesOfType(type).map(({ name }) => name);
    const isOf = ({ properties = {} }: Schema) =>
      Object.keys(properties).sort().join() === names.toSorted().join();
    return options ? options.find(isOf) : schema;
  }

  /** A list of literals; a long one goes by its name, together with the `null` or `undefined` beside it. */
  #list(type: Type, members: readonly Type[]): string {
    const empty = members.some((member) => member.flags & TypeFlags.Nullable);
    const some = empty ? this.#checker.getNonNullableType(type) : undefined;
    const name = some && this.#nameOf(some);
    if (!name) return this.#simple(type);
    const rest = members.filter((member) => member.flags & TypeFlags.Nullable);
    return [name, ...rest.map((member) => this.#simple(member))].join(' | ');
  }

  #array(type: TypeReference, schema: Schema | undefined, indent: string): string {
    const [item] = this.#checker.getTypeArguments(type);
    const text = this.#part(item!, schema?.items, indent);
    const readonly = type.getSymbol()?.name === 'ReadonlyArray' ? 'readonly ' : '';
    return `${readonly}${text.includes(' | ') ? `(${text})` : text}[]`;
  }

  #object(type: Type, schema: Schema | undefined, indent: string): string {
    const deeper = `${indent}  `;
    const lines = this.#checker.getPropertiesOfType(type).map((property) => {
      const part = schema?.properties?.[property.name];
      const name = /^\w+$/.test(property.name) ? property.name : `'${property.name}'`;
      const optional = property.flags & SymbolFlags.Optional ? '?' : '';
      const value = this.#part(this.#checker.getTypeOfSymbol(property)!, part, deeper);
      return `${toComment(part?.description, deeper)}${deeper}${name}${optional}: ${value};\n`;
    });
    return lines.length === 0 ? 'object' : `{\n${lines.join('')}${indent}}`;
  }
}

function toComment(text: string | undefined, indent: string): string {
  return text ? `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll('\n', ' ')} */\n` : '';
}
