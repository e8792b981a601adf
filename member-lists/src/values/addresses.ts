import { normalizeEmail } from '@gatehouse/contract/email-address';

/** What a cell of a list has for an address; `name` is empty if the cell has none. */
export type WrittenAddress =
  | { readonly address: string; readonly name: string }
  | { readonly address: null; readonly problem: 'no_email' | 'invalid_email' }
  | {
      readonly address: null;
      readonly problem: 'several_emails';
      /** The first two of them. */
      readonly emails: readonly [string, string];
    };

/** Longer than any address with a name. */
const maxLength = 1_000;
/** Pairs that programs put around an address or a name. */
const pairs = ['""', "''", '“”', '„“', '”“', '‘’', '‚‘', '«»', '``', '<>', '＜＞', '「」'];
const quotes = pairs.filter((pair) => !'<＜'.includes(pair[0]!));
const ending = /[\s;,.；，、。]$/u;
const beginning = /^[\s;,；，、]/u;
/** What stands between addresses; a bar and a slash can also be part of one. */
const between = /[\s;,<>()[\]"“”„«»:；，、＜＞]+/u;
const edges = /^['‘’`.]|['‘’`.]$/u;

/**
 * Finds the one address of a cell: also `Ada <ada@example.com>`, `mailto:ada@example.com`, or an address with blanks,
 * invisible characters, quotes, semicolons, commas and dots around it. Two addresses are a problem; no letter is
 * corrected. A plain address stays as it is.
 */
export function readAddress(cell: string): WrittenAddress {
  const trimmed = cell.trim();
  const plain = normalizeEmail(trimmed);
  if (plain !== null) return { address: plain, name: '' };
  if (trimmed.length > maxLength) return { address: null, problem: 'invalid_email' };
  const text = visible(trimmed);
  if (text === '') return { address: null, problem: 'no_email' };
  const [first, second] = addressesIn(text);
  if (second !== undefined) return { address: null, problem: 'several_emails', emails: [first!, second] };
  return namedAddress(text) ?? { address: null, problem: 'invalid_email' };
}

/** The one address of a cell in its normalized form; null if it has none or several. */
export function addressIn(cell: string): string | null {
  return cell.includes('@') ? readAddress(cell).address : null;
}

/** Without invisible characters, and with one kind of spaces. */
function visible(text: string): string {
  return text
    .replaceAll(/[\s\u2800]+/g, ' ')
    .replaceAll(/[\p{Cc}\p{Cf}\u115f\u1160\u3164]|\u034f|[\ufe00-\ufe0f]/gu, '')
    .trim();
}

function namedAddress(text: string): WrittenAddress | undefined {
  if (!text.includes('@')) return undefined;
  const alone = bareAddress(unwrapped(text)) ?? repeatedAddress(text);
  if (alone !== null) return { address: alone, name: '' };
  const [, name, inner] = /^([^@]*|[^<＜]*)[<＜]([^<>＜＞]*)[>＞]$/u.exec(withoutEnding(text)) ?? [];
  const inside = inner === undefined ? null : bareAddress(unwrapped(inner));
  if (inside === null) return undefined;
  // Some programs write the address as the name, too.
  const unquoted = unwrapped(name!, quotes).replaceAll(/\\(["\\])/g, '$1');
  return { address: inside, name: unquoted.includes('@') ? '' : unquoted };
}

/** The address of a cell that repeats it. */
function repeatedAddress(text: string): string | null {
  if (!hasSeveralAts(text)) return null;
  const [first = '', ...others] = text.split(between).filter((word) => word !== '');
  const address = addressOf(first);
  return others.every((word) => addressOf(word) === address) ? address : null;
}

function bareAddress(text: string): string | null {
  const [, link] = /^mailto:([^@]*@[^?]*)/i.exec(text) ?? [];
  return normalizeEmail(link ?? text);
}

/** Without what is around it; each round removes something. */
function unwrapped(text: string, around: readonly string[] = pairs): string {
  let inner = text;
  for (;;) {
    const next = withoutPair(around === pairs ? withoutEnding(inner) : inner.trim(), around);
    if (next === inner) return inner;
    inner = next;
  }
}

function withoutPair(text: string, around: readonly string[]): string {
  const isPaired =
    text.length > 1 && around.some((pair) => text.startsWith(pair[0]!) && text.endsWith(pair[1]!));
  return isPaired ? text.slice(1, -1) : text;
}

/** Without the separators and blanks at its beginning and its end. */
function withoutEnding(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && beginning.test(text[start]!)) start += 1;
  while (end > start && ending.test(text[end - 1]!)) end -= 1;
  return text.slice(start, end);
}

/** The first two different addresses anywhere in a text that could have several. */
function addressesIn(text: string): string[] {
  const found = new Set<string>();
  if (!hasSeveralAts(text)) return [];
  for (const word of text.split(between)) {
    // A part that is no address on its own may be two with a bar or a slash between them.
    const whole = addressOf(word);
    for (const part of whole === null ? word.split(/[|/&]/) : [word]) {
      const address = addressOf(part);
      if (address !== null) found.add(address);
      if (found.size === 2) return [...found];
    }
  }
  return [...found];
}

function addressOf(word: string): string | null {
  return word.includes('@') ? normalizeEmail(word.replace(edges, '').replace(edges, '')) : null;
}

function hasSeveralAts(text: string): boolean {
  return text.indexOf('@') !== text.lastIndexOf('@');
}
