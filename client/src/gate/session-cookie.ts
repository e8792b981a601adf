/** Longer than any token of a session. */
const longestToken = 200;
/** What the value of a cookie may hold: the `cookie-octet` of RFC 6265, section 4.1.1. */
const cookieValue = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/;

/**
 * The token in a `Cookie` header, or null where there is none to go by: one that is too long, is no value of a cookie, or
 * is there twice, as a neighbouring site may have set the other.
 */
export function readSessionToken(cookies: string, cookieName: string): string | null {
  const values = cookies
    .split(';')
    // Spaces and tabs only: what `trim` takes beyond them would let another name pass for this one.
    .map((cookie) => cookie.replace(/^[ \t]+|[ \t]+$/g, ''))
    .filter((cookie) => cookie.startsWith(`${cookieName}=`))
    .map((cookie) => cookie.slice(cookieName.length + 1));
  const [token = ''] = values;
  return values.length === 1 && token.length <= longestToken && cookieValue.test(token) ? token : null;
}
