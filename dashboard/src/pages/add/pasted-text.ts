import type { Person } from './people.ts';

/** Somebody in a line: an address, or a text that was meant to be one. */
interface Found {
  readonly email: string;
  readonly displayName: string | null;
}

/** A part of a line without an address is a text. */
type Part = readonly Found[] | string;

const lineBreak = /\r\n?|[\n\u2028\u2029]/;
/** From the one that holds the most together to the one that holds the least. */
const separators = ['\t', ';', ','];
/** What stands apart from an address, or closes in on it. */
const word = /[^\s<>,;"()[\]]+/g;
const wrapping = /^(?:mailto:)?['‘“`]*|[.:!?'’”`]+$/gi;
/** `rosa(at)example.com`, `rosa at example.com`, `rosa @example.com`. */
const spelledAddress = /@|[([{]\s*at\s*[)\]}]|\sat\s+\S+\.\S/i;
const longestName = 200;
const longestShown = 254;

/**
 * Finds the people in a text, in whatever disorder: `Ada Lovelace <ada@example.com>, bob@…`. A name is one of the same
 * line. A line in which no address is found is somebody without a valid one, so that nothing is lost unseen.
 */
export function readText(text: string): Person[] {
  // What is not well-formed cannot be sent.
  return text
    .toWellFormed()
    .split(lineBreak)
    .flatMap((line, index) => {
      if (!/[^\s,;]/.test(line)) return [];
      const part = readPart(line, separators);
      const found = typeof part === 'string' ? [unreadable(part)] : part;
      return found.map((one) => ({ line: index + 1, ...one }));
    });
}

function readPart(text: string, [separator, ...weaker]: readonly string[]): Part {
  if (separator === undefined) return readWords(text);
  const pieces = split(text, separator);
  if (pieces.length === 1) return readPart(text, weaker);
  const parts = pieces.map((piece) => readPart(piece, weaker));
  if (parts.every((part) => typeof part === 'string')) return text;
  return nameByNeighbours(parts);
}

/** Cuts a text at a separator, but not inside quotes. */
function split(text: string, separator: string): string[] {
  const pieces = [''];
  for (const part of text.match(new RegExp(`"[^"]*"|[^${separator}"]+|.`, 'gu')) ?? []) {
    if (part === separator) pieces.push('');
    else pieces[pieces.length - 1] += part;
  }
  return pieces;
}

/** In `Ada; ada@…; Bob; bob@…` names come before, in `ada@…; Ada; bob@…; Bob` behind: the first piece tells. */
function nameByNeighbours(parts: readonly Part[]): Found[] {
  const namesComeFirst = typeof parts[0] === 'string';
  return parts.flatMap((part, index) => {
    if (typeof part === 'string') return lost(part);
    if (part.length !== 1 || part[0]!.displayName !== null) return part;
    const beside = namesComeFirst ? [parts[index - 1], parts[index - 2]] : parts.slice(index + 1, index + 3);
    const end = beside.findIndex((other) => typeof other !== 'string');
    const near = (end === -1 ? beside : beside.slice(0, end)) as string[];
    return [{ ...part[0]!, displayName: nameInCells(near, namesComeFirst) }];
  });
}

/** The name in the cells next to an address, the nearest first: of two with a word each, it is in both. */
function nameInCells(near: readonly string[], namesComeFirst: boolean): string | null {
  const [first, second] = near.map(asName);
  if (!first) return null;
  const inBoth = [first, second].every((name) => name && /^\p{Lu}\S*$/u.test(name));
  if (!inBoth) return first;
  return namesComeFirst ? `${second} ${first}` : `${first} ${second}`;
}

/** Finds the addresses among words: `Ada Lovelace <ada@…> Bob bob@… (Bob)`. */
function readWords(text: string): Part {
  const places = [...text.matchAll(word)]
    .map(({ 0: found, index }) => ({ email: found.replace(wrapping, ''), index, end: index + found.length }))
    .filter(({ email }) => /.@./.test(email));
  if (places.length === 0) return text;
  const startsWithAddress = !/[\p{L}\p{N}]/u.test(text.slice(0, places[0]!.index));
  return places.flatMap(({ email, index, end }, at) => {
    const before = text.slice(places[at - 1]?.end ?? 0, index);
    const after = text.slice(end, places[at + 1]?.index);
    const isLast = at === places.length - 1;
    const displayName =
      nameInFront(before) ?? nameInBrackets(after) ?? bareName(startsWithAddress ? after : before);
    return [...lost(before), { email, displayName }, ...(isLast ? lost(after) : [])];
  });
}

function lost(text: string): Found[] {
  return spelledAddress.test(text) ? [unreadable(text)] : [];
}

/** `Ada Lovelace <` */
function nameInFront(before: string): string | null {
  const text = before.trimEnd();
  return text.endsWith('<') ? asName(text.slice(0, -1).replace(/^.*>/, '')) : null;
}

/** ` (Ada Lovelace)` */
function nameInBrackets(after: string): string | null {
  return asName(/^>?\s*\(([^()]*)\)/.exec(after)?.[1] ?? '');
}

/** A name without any sign that it is one begins with no small letter: that would be a word of a sentence. */
function bareName(text: string): string | null {
  const name = asName(text.replace(/^[\s\d.)>•*·–—-]+|[\s–—-]+$/g, ''));
  return name !== null && /^[^\p{Ll}][^:@/=<>()[\]]*$/u.test(name) ? name : null;
}

/** A text as a name; null for what is none. */
function asName(text: string): string | null {
  const name = text
    .trim()
    .replace(/^"|"$/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return /\p{L}/u.test(name) && name.length <= longestName && !spelledAddress.test(name) ? name : null;
}

/** Somebody whose address cannot be told. */
function unreadable(text: string): Found {
  const shown = text.replace(/^[\s<>]+|[\s<>]+$/g, '') || text.trim();
  const email = shown.length > longestShown ? `${shown.slice(0, longestShown)}…` : shown;
  return { email, displayName: null };
}
