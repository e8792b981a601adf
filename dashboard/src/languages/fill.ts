import type { ReactNode } from 'react';

/** A text, or one text for each plural category of its language (Unicode CLDR), chosen by the value `count`. */
export type Text =
  | string
  | ({ readonly other: string } & { readonly [Category in Intl.LDMLPluralRule]?: string });
export type Values<Value> = Readonly<Record<string, Value>>;

/**
 * Replaces placeholders such as `{name}` by values, with numbers in the format of the language. A placeholder without
 * a value is unchanged.
 */
export function fill(language: string, text: Text, values: Values<string | number>): string {
  return parts(language, text, values).join('');
}

/** Like `fill`, for values that are elements. */
export function parts<Value extends ReactNode>(
  language: string,
  text: Text,
  values: Values<Value>,
): (Value | string)[] {
  return choosePlural(language, text, values.count)
    .split(/(\{\w+\})/)
    .filter((part) => part !== '')
    .map((part) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1];
      const value = name === undefined ? undefined : values[name];
      if (typeof value === 'number') return new Intl.NumberFormat(language).format(value);
      return value ?? part;
    });
}

function choosePlural(language: string, text: Text, count: unknown): string {
  if (typeof text === 'string') return text;
  if (typeof count !== 'number') return text.other;
  return text[new Intl.PluralRules(language).select(count)] ?? text.other;
}
