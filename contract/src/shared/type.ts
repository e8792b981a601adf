import type TypeBox from 'typebox';
import type { TSchema } from 'typebox';

type Builders = Pick<
  typeof TypeBox,
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Literal'
  | 'Null'
  | 'Object'
  | 'Optional'
  | 'String'
  | 'Union'
  | 'Unsafe'
>;

const optional = new WeakSet<object>();

/**
 * Creates JSON Schemas with the types of TypeBox, which has 370 files. With these, loading the contract from its sources
 * takes 355 instead of 226 ms of CPU time. The built service starts as quickly.
 */
export const Type = {
  Array: (items: object, options?: object) => ({ type: 'array', items, ...options }),
  Boolean: (options?: object) => ({ type: 'boolean', ...options }),
  Enum: (values: readonly unknown[], options?: object) => ({ enum: values, ...options }),
  Integer: (options?: object) => ({ type: 'integer', ...options }),
  Literal: (value: unknown, options?: object) => ({ type: typeof value, const: value, ...options }),
  Null: (options?: object) => ({ type: 'null', ...options }),
  Object: (properties: Readonly<Record<string, object>>, options?: object) => ({
    type: 'object',
    ...requiredOf(properties),
    properties,
    ...options,
  }),
  Optional: (schema: object) => {
    const copy = { ...schema };
    optional.add(copy);
    return copy;
  },
  String: (options?: object) => ({ type: 'string', ...options }),
  Union: (anyOf: readonly object[], options?: object) => ({ anyOf, ...options }),
  Unsafe: (schema: object) => ({ ...schema }),
} satisfies Record<keyof Builders, (...given: never[]) => TSchema> as unknown as Builders;

function requiredOf(properties: Readonly<Record<string, object>>): { required?: string[] } {
  const required = Object.keys(properties).filter((name) => !optional.has(properties[name]!));
  return required.length > 0 ? { required } : {};
}
