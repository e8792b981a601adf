import { isUtf8 } from 'node:buffer';
import { ApiError } from '../../../base/api-error.ts';

/** The maximum nesting depth. Bodies of the contract have at most four levels. */
const maxNesting = 16;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/**
 * Parses a body as I-JSON (RFC 7493). Beyond plain JSON it rejects everything that two parsers could interpret
 * differently: duplicate keys and lone surrogates. It also rejects `__proto__` and deep nesting.
 * @throws {ApiError} `invalid_json`
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw invalidJson('it is not UTF-8');
  const text = bytes.toString('utf8');
  rejectAmbiguity(text);
  try {
    return JSON.parse(text);
  } catch {
    throw invalidJson(text.trim() === '' ? 'it is empty' : 'it cannot be parsed');
  }
}

/** One pass over the tokens, before anything is built from them. Invalid syntax is left to the parser. */
function rejectAmbiguity(text: string): void {
  // For each open level: the keys of an object so far, or null for an array.
  const levels: (Set<string> | null)[] = [];
  let atKey = false;
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case quote: {
        const end = endOfString(text, index);
        if (end === -1) return;
        const content = contentOf(text, index, end);
        if (atKey) addKey(levels.at(-1), content);
        atKey = false;
        index = end;
        break;
      }
      case openBrace:
      case openBracket: {
        const isObject = text.charCodeAt(index) === openBrace;
        levels.push(isObject ? new Set() : null);
        if (levels.length > maxNesting) throw invalidJson(`it is nested deeper than ${maxNesting} levels`);
        atKey = isObject;
        break;
      }
      case closeBrace:
      case closeBracket:
        levels.pop();
        atKey = false;
        break;
      case comma:
        atKey = levels.at(-1) instanceof Set;
        break;
    }
  }
}

function addKey(keys: Set<string> | null | undefined, key: string): void {
  if (!keys) return;
  if (key === '__proto__') throw invalidJson('it has the key "__proto__"');
  if (keys.has(key)) throw invalidJson(`it has the key ${JSON.stringify(key.slice(0, 50))} twice`);
  keys.add(key);
}

function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) return index;
    if (code === backslash) index += 1;
  }
  return -1;
}

function contentOf(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end);
  if (!raw.includes('\\')) return raw;
  let content: string;
  try {
    content = JSON.parse(text.slice(start, end + 1));
  } catch {
    throw invalidJson('it cannot be parsed');
  }
  if (!content.isWellFormed()) throw invalidJson('it has half of a surrogate pair');
  return content;
}

function invalidJson(why: string): ApiError {
  return new ApiError('invalid_json', `The body cannot be read: ${why}. Send valid JSON in UTF-8.`);
}
