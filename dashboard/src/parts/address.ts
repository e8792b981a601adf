import { fromPunycode } from './punycode.ts';

/** Labels in one script, or in those that are written together. */
const oneScript = [
  /^[a-z\d\u00df-\u017f\u01a1\u01b0\u0219\u021b\u1ea0-\u1ef9-]+$/,
  /^[a-z\d\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u30fc-]+$/u,
  /^[\d\p{sc=Hangul}-]+$/u,
  /^[\d\p{sc=Arabic}-]+$/u,
  /^[\d\p{sc=Hebrew}-]+$/u,
  /^[\d\p{sc=Devanagari}-]+$/u,
  /^[\d\p{sc=Thai}-]+$/u,
];
/** Letters of these look like Latin ones, so they are shown only where the whole domain is in them. */
const likeLatin = [/^[\d\p{sc=Cyrillic}.-]+$/u, /^[\d\p{sc=Greek}.-]+$/u];
const beyondAscii = /[^\0-\x7f]/;

/**
 * An address as people write it: its domain in its own letters. One that could be taken for another stays in ASCII, as
 * in the address bars of browsers.
 */
export function shownAddress(email: string): string {
  const at = email.lastIndexOf('@') + 1;
  const ascii = email.slice(at);
  if (!ascii.includes('xn--')) return email;
  try {
    const domain = ascii.replace(/(?<=^|\.)xn--([^.]+)/g, (_, label: string) => fromPunycode(label));
    return isReadable(domain) && toAscii(domain) === ascii ? email.slice(0, at) + domain : email;
  } catch {
    return email;
  }
}

/** What the service keeps of a domain, or of a part of one; undefined where it is the same or there is none. */
export function asciiQuery(query: string): string | undefined {
  const at = query.lastIndexOf('@') + 1;
  const domain = query.slice(at);
  if (!beyondAscii.test(domain) || /[\s/?#:\\%]/.test(domain)) return undefined;
  const ascii = toAscii(domain);
  return ascii && query.slice(0, at) + ascii;
}

function isReadable(domain: string): boolean {
  if (likeLatin.some((script) => script.test(domain))) return true;
  return domain.split('.').every((label) => oneScript.some((script) => script.test(label)));
}

function toAscii(domain: string): string | undefined {
  return URL.parse(`http://${domain}`)?.hostname;
}
