import { fillParts } from '@gatehouse/contract/fill';
import type { ReactNode } from 'react';

/** A text, or one text for each plural category of its language (Unicode CLDR), chosen by the value `count`. */
export type Text =
  | string
  | ({ readonly other: string } & { readonly [Category in Intl.LDMLPluralRule]?: string });
export type Values<Value> = Readonly<Record<string, Value>>;

/** Fills a text with values, numbers in the format of the language. */
export function fillText(language: string, text: Text, values: Values<string | number>): string {
  return textParts(language, text, values).join('');
}

/** Like `fillText`, for values that are elements. */
export function textParts<Value extends ReactNode>(
  language: string,
  text: Text,
  values: Values<Value>,
): (Value | string)[] {
  const parts = fillParts(choosePlural(language, text, values.count), values);
  return parts.map((part) => (typeof part === 'number' ? part.toLocaleString(language) : part));
}

function choosePlural(language: string, text: Text, count: unknown): string {
  if (typeof text === 'string') return text;
  if (typeof count !== 'number') return text.other;
  return text[new Intl.PluralRules(language).select(count)] ?? text.other;
}
