import { toAsciiDomain } from '../base/domain-name.ts';

// "A valid e-mail address" of the HTML standard (WHATWG, section 4.10.5.1.5), for input that is lower-case already.
const form =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;
const longestLocalPart = 64; // RFC 5321, section 4.5.3.1.1
const longestAddress = 254; // RFC 5321, section 4.5.3.1.3, less the angle brackets

/**
 * The one form in which an address is stored and compared: trimmed, lower case, the domain in ASCII. Null for what
 * is no address. Only ASCII letters are lowered, so that no other letter becomes one of them (`mıke` is not `mike`).
 * Normalising twice changes nothing.
 */
export function normalizeEmail(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.length > longestAddress) return null;
  const at = trimmed.lastIndexOf('@');
  if (at < 1 || at > longestLocalPart) return null;
  const domain = toAsciiDomain(trimmed.slice(at + 1));
  if (domain === null) return null;
  const email = `${lowerAscii(trimmed.slice(0, at))}@${domain}`;
  return email.length <= longestAddress && form.test(email) ? email : null;
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
