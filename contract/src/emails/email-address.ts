import { maxEmailLength } from '../shared/limits.ts';
import { toAsciiDomain } from '../sites/domains.ts';

// "A valid e-mail address" of the HTML standard (WHATWG, section 4.10.5.1.5), for input that is already in lowercase.
const form =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;
const maxLocalPartLength = 64; // RFC 5321, section 4.5.3.1.1

/** The message for a text that is not a valid email address. */
export const invalidEmailMessage =
  'This is not a valid email address. Use exactly one, such as ada@example.com, of at most 254 characters.';

/**
 * The form in which an email address is stored and compared: trimmed, lowercase, the domain in ASCII. Null if the text is
 * not an email address. Only ASCII letters are converted to lowercase, so that no other letter becomes an ASCII letter
 * (`mıke` is not `mike`). Idempotent. The service, the command line and the dashboard all use it.
 */
export function normalizeEmail(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.length > maxEmailLength) return null;
  const at = trimmed.lastIndexOf('@');
  if (at < 1 || at > maxLocalPartLength) return null;
  const domain = toAsciiDomain(trimmed.slice(at + 1));
  if (domain === null) return null;
  const email = `${lowerAscii(trimmed.slice(0, at))}@${domain}`;
  return email.length <= maxEmailLength && form.test(email) ? email : null;
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
