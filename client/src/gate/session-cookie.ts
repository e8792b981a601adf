/** Longer than any session token. */
const maxTokenLength = 200;
/** The characters of a cookie value: `cookie-octet` of RFC 6265, section 4.1.1. */
const cookieValue = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/;

/**
 * The token in a `Cookie` header. Null if it is missing, too long, not a valid cookie value, or present twice, because
 * a neighboring site may have set the other one.
 */
export function readSessionToken(cookies: string, cookieName: string): string | null {
  return readCookie(cookies, cookieName, maxTokenLength);
}

/** The value of a cookie, under the same conditions. */
export function readCookie(cookies: string, cookieName: string, maxLength: number): string | null {
  const values = cookies
    .split(';')
    // Spaces and tabs only: the other characters that `trim` removes would make another name look like this one.
    .map((cookie) => cookie.replace(/^[ \t]+|[ \t]+$/g, ''))
    .filter((cookie) => cookie.startsWith(`${cookieName}=`))
    .map((cookie) => cookie.slice(cookieName.length + 1));
  const [token = ''] = values;
  return values.length === 1 && token.length <= maxLength && cookieValue.test(token) ? token : null;
}
