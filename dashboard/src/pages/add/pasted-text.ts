import { escapeCell, type MemberDraft, newDraft } from '@gatehouse/member-lists';

/** A person in a line: an email address, or a text that was probably meant as one. */
interface Found {
  readonly email: string;
  readonly displayName: string | null;
}

/** A part of a line without an address is a plain text. */
type Part = readonly Found[] | string;

const lineBreak = /\r\n?|[\n\u2028\u2029]/;
/** From the separator of the largest parts to the separator of the smallest. */
const separators = ['\t', ';', '；', ',', '，', '、'];
/** Characters that separate or enclose an address. */
const word = /[^\s<>,;"()[\]＜＞，；、]+/g;
const wrapping = /^(?:mailto:)?['‘“„«`]*|[.:!?'’”“»`]+$/gi;
/** What links add to an address. */
const linkEnding = /(?<=^mailto:[^?]*)\?.*$/i;
const invisible = /\p{Cf}/gu;
/** Matches `rosa(at)example.com`, `rosa at example.com` and `rosa @example.com`. */
const spelledAddress = /@|[([{]\s*at\s*[)\]}]|\sat\s+\S+\.\S/i;
const maxNameLength = 200;
const maxShownLength = 254;

/**
 * Finds the people in a text in any format: `Ada Lovelace <ada@example.com>, bob@…`. A name comes from the same line.
 * A line without an address gives a draft without a valid one, so that nothing is lost unnoticed.
 */
export function readText(text: string): MemberDraft[] {
  // Text that is not well-formed cannot be sent.
  return text
    .toWellFormed()
    .split(lineBreak)
    .flatMap((line, index) => {
      if (!/[^\s,;]/.test(line)) return [];
      const part = readPart(line, separators);
      const found = typeof part === 'string' ? [unreadable(part)] : part;
      return found.map(({ email, displayName }) => toDraft(index + 1, email, displayName ?? ''));
    });
}

/** A draft with cells, as from a file: failed rows are saved with their cells. */
function toDraft(line: number, email: string, displayName: string): MemberDraft {
  return { ...newDraft(line, email, displayName), cells: [email, displayName].map(escapeCell) };
}

function readPart(text: string, [separator, ...weaker]: readonly string[]): Part {
  if (separator === undefined) return readWords(text);
  const pieces = split(text, separator);
  if (pieces.length === 1) return readPart(text, weaker);
  const parts = pieces.map((piece) => readPart(piece, weaker));
  if (parts.every((part) => typeof part === 'string')) return text;
  return nameByNeighbors(parts);
}

/** Splits a text at a separator, except inside quotes. */
function split(text: string, separator: string): string[] {
  const pieces = [''];
  for (const part of text.match(new RegExp(`"[^"]*"|[^${separator}"]+|.`, 'gu')) ?? []) {
    if (part === separator) pieces.push('');
    else pieces[pieces.length - 1] += part;
  }
  return pieces;
}

/**
 * Names come before addresses in `Ada; ada@…; Bob; bob@…`, and after them in `ada@…; Ada; bob@…; Bob`. The first cell
 * decides.
 */
function nameByNeighbors(parts: readonly Part[]): Found[] {
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

/** The name in the cells next to an address, nearest first. Two cells with one word each are combined. */
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
    .map(({ 0: found, index }) => ({ email: addressOf(found), index, end: index + found.length }))
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

function addressOf(found: string): string {
  return found.replaceAll(invisible, '').replace(linkEnding, '').replace(wrapping, '');
}

function lost(text: string): Found[] {
  return spelledAddress.test(text) ? [unreadable(text)] : [];
}

/** Matches `Ada Lovelace <`. */
function nameInFront(before: string): string | null {
  const text = before.trimEnd();
  return /[<＜]$/.test(text) ? asName(text.slice(0, -1).replace(/^.*[>＞]/, '')) : null;
}

/** Matches ` (Ada Lovelace)`. */
function nameInBrackets(after: string): string | null {
  return asName(/^>?\s*\(([^()]*)\)/.exec(after)?.[1] ?? '');
}

/**
 * A name without brackets or quotes must not begin with a lowercase letter, because that is probably a word of a
 * sentence.
 */
function bareName(text: string): string | null {
  const name = asName(text.replace(/^[\s\d.)>•*·–—-]+|[\s–—-]+$/g, ''));
  return name !== null && /^[^\p{Ll}][^:@/=<>()[\]]*$/u.test(name) ? name : null;
}

/** A text as a name; null if it is not a name. */
function asName(text: string): string | null {
  const name = text
    .trim()
    .replace(/^["„“«]|["”“»]$/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return /\p{L}/u.test(name) && name.length <= maxNameLength && !spelledAddress.test(name) ? name : null;
}

/** A draft without a valid email address. */
function unreadable(text: string): Found {
  const shown = text.replace(/^[\s<>]+|[\s<>]+$/g, '') || text.trim();
  const email = shown.length > maxShownLength ? `${shown.slice(0, maxShownLength)}…` : shown;
  return { email, displayName: null };
}
