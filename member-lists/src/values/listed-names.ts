/**
 * The names in a cell that is a list by its form: `["A", "B"]` (JSON), `"A","B"` (each name in quotes), or an array that
 * PHP has serialized. Undefined if it is none of them.
 */
export function listedNames(cell: string): string[] | undefined {
  const text = cell.trim();
  if (text.startsWith('[')) return jsonNames(text);
  if (text.startsWith('"')) return quotedNames(text);
  return /^a:\d+:\{/.test(text) ? phpNames(text) : undefined;
}

function jsonNames(text: string): string[] | undefined {
  try {
    const names: unknown = JSON.parse(text);
    return Array.isArray(names) && names.every((name) => typeof name === 'string') ? names : undefined;
  } catch {
    return undefined;
  }
}

function quotedNames(text: string): string[] | undefined {
  const item = /"([^"]*(?:""[^"]*)*)"(?:\s*,\s*(?=")|$)/y;
  return matchesOf(item, text)?.map(([, name]) => name!.replaceAll('""', '"'));
}

/** The values of an array, or the keys that are set: WordPress stores roles as `a:1:{s:6:"editor";b:1;}`. */
function phpNames(text: string): string[] | undefined {
  if (!text.endsWith('}')) return undefined;
  const entry = /(?:i:\d+|s:\d+:"([^"]*)");(?:b:([01])|s:\d+:"([^"]*)");/y;
  return matchesOf(entry, text.slice(text.indexOf('{') + 1, -1))
    ?.map(([, key, isSet, value]) => value ?? (isSet === '1' ? key : undefined))
    .filter((name) => name !== undefined);
}

/** All matches of a sticky expression, one after another; undefined if something else stands between them. */
function matchesOf(expression: RegExp, text: string): RegExpExecArray[] | undefined {
  const matches: RegExpExecArray[] = [];
  while (expression.lastIndex < text.length) {
    const match = expression.exec(text);
    if (!match) return undefined;
    matches.push(match);
  }
  return matches;
}
