import type { FoundFiles } from './found-files.ts';

const fontName = /\.(?:woff2?|ttf|otf|eot)$/i;

/** What begins a part in which a URL can be, or that has none whatever it contains. */
const nextPart = /\/\*|["']|@import(?![\w-])|(?<![\w-])url\(/gi;

const escaped = /\\(?:[\da-f]{1,6}\s?|.)/isy;

/** Finds the files that a style sheet, or a style in a page, loads. It takes linear time, whatever it contains. */
export function readStyleSheet(text: string, base: URL, files: FoundFiles): void {
  nextPart.lastIndex = 0;
  for (let part = nextPart.exec(text); part && !files.isFull; part = nextPart.exec(text)) {
    const [token] = part;
    let found: Read = { end: nextPart.lastIndex };
    if (token === '/*') found = { end: endOfComment(text, found.end) };
    else if (token === '"' || token === "'") found = { end: readString(text, part.index).end };
    else if (token.startsWith('@')) found = readImport(text, found.end);
    else found = readUrl(text, found.end);
    if (found.value !== undefined) {
      const isImport = token.startsWith('@');
      files.add(found.value, base, isImport ? 'style_sheet' : typeOf(found.value));
    }
    nextPart.lastIndex = found.end;
  }
}

interface Read {
  readonly value?: string;
  readonly end: number;
}

function typeOf(reference: string): 'font' | 'image' {
  return fontName.test(reference.replace(/[?#].*$/s, '')) ? 'font' : 'image';
}

function endOfComment(text: string, start: number): number {
  const end = text.indexOf('*/', start);
  return end === -1 ? text.length : end + 2;
}

/** `@import "a.css"` or `@import url(a.css)`. */
function readImport(text: string, start: number): Read {
  let at = skipSpace(text, start);
  while (text.startsWith('/*', at)) at = skipSpace(text, endOfComment(text, at + 2));
  if (text[at] === '"' || text[at] === "'") return readString(text, at);
  return text.slice(at, at + 4).toLowerCase() === 'url(' ? readUrl(text, at + 4) : { end: at };
}

/** @param start behind the parenthesis */
function readUrl(text: string, start: number): Read {
  const at = skipSpace(text, start);
  if (text[at] === '"' || text[at] === "'") return readString(text, at);
  let end = at;
  while (end < text.length && !/[\s"'()]/.test(text[end]!))
    end = text[end] === '\\' ? endOfEscape(text, end) : end + 1;
  return { value: withoutEscapes(text.slice(at, end)), end: Math.min(end, text.length) };
}

/** A string ends at its quotation mark, or at the end of the line. */
function readString(text: string, start: number): Read {
  const quote = text[start]!;
  let at = start + 1;
  while (at < text.length && text[at] !== quote && text[at] !== '\n') at += text[at] === '\\' ? 2 : 1;
  return { value: withoutEscapes(text.slice(start + 1, at)), end: Math.min(at + 1, text.length) };
}

/** One space belongs to an escape with digits (CSS Syntax, section 4.3.7). */
function endOfEscape(text: string, start: number): number {
  escaped.lastIndex = start;
  return escaped.test(text) ? escaped.lastIndex : text.length;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (/\s/.test(text[at] ?? '')) at += 1;
  return at;
}

function withoutEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(
    /\\(?:([\da-f]{1,6})\s?|(\n)|(.))/gi,
    (_, digits?: string, _line?: string, sign = '') => {
      if (digits === undefined) return sign;
      const code = Number.parseInt(digits, 16);
      return code > 0x10_ffff ? '\ufffd' : String.fromCodePoint(code);
    },
  );
}
