import punycode from 'punycode.js';

/** Labels in one script, or in scripts that are commonly mixed. */
const oneScript = [
  /^[a-z\d\u00df-\u017f\u01a1\u01b0\u0219\u021b\u1ea0-\u1ef9-]+$/,
  /^[a-z\d\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u30fc-]+$/u,
  /^[\d\p{sc=Hangul}-]+$/u,
  /^[\d\p{sc=Arabic}-]+$/u,
  /^[\d\p{sc=Hebrew}-]+$/u,
  /^[\d\p{sc=Devanagari}-]+$/u,
  /^[\d\p{sc=Thai}-]+$/u,
];
/** These scripts have letters that look like Latin ones, so they are shown only if the whole domain uses them. */
const likeLatin = [/^[\d\p{sc=Cyrillic}.-]+$/u, /^[\d\p{sc=Greek}.-]+$/u];
const beyondAscii = /[^\0-\x7f]/;

/**
 * An email address with its domain in Unicode. As in the address bar of browsers, a confusable domain stays in ASCII.
 */
export function displayAddress(email: string): string {
  const at = email.lastIndexOf('@') + 1;
  const ascii = email.slice(at);
  if (!ascii.includes('xn--')) return email;
  try {
    const domain = punycode.toUnicode(ascii);
    return isReadable(domain) && toAscii(domain) === ascii ? email.slice(0, at) + domain : email;
  } catch {
    return email;
  }
}

/**
 * The ASCII form in which the server stores a domain, or a part of one; undefined if it is the same or if there is no
 * domain.
 */
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
