/** The levels of an OpenAPI document down to the parts of an operation, such as its parameters, and of a schema. */
const levels = 4;

/**
 * The text of the file of an OpenAPI document: a line for each part of an operation and of a schema. It is a tenth as long as
 * with a line for each value, and a diff still shows what has changed.
 */
export function denseJson(document: object): string {
  return `${textOf(document, levels, '')}\n`;
}

function textOf(value: unknown, depth: number, indent: string): string {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject || depth === 0) return JSON.stringify(value);
  const within = `${indent}  `;
  const lines = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .map(([name, part]) => `${within}${JSON.stringify(name)}: ${textOf(part, depth - 1, within)}`);
  return `{\n${lines.join(',\n')}\n${indent}}`;
}
