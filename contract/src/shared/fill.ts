/** Replaces placeholders such as `{name}` in a text with their values. One without a value is unchanged. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return fillParts(text, values).join('');
}

/** Like `fill`, for values that are no texts: returns the parts of the text with the values between them. */
export function fillParts<Value>(text: string, values: Readonly<Record<string, Value>>): (Value | string)[] {
  return text
    .split(/(\{\w+\})/)
    .filter((part) => part !== '')
    .map((part) => (/^\{\w+\}$/.test(part) ? (values[part.slice(1, -1)] ?? part) : part));
}
