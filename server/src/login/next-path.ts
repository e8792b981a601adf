import { memberRealm, type Realm } from '../sites/realm.ts';

const longestNext = 2_000;
// What some browser reads as the beginning of another host, and what could end a header.
const foreign = /^\/[/\\]|[^\x21-\x5b\x5d-\x7e]/;

/**
 * Where a visitor goes after the login: a path of the realm, with its query. Whatever could lead anywhere else, or back
 * to the pages of the login, becomes the front page.
 */
export function checkNext(
  next: string | undefined,
  origin: string,
  { front, leadsTo }: Realm = memberRealm,
): string {
  if (next === undefined || next.length > longestNext || !next.startsWith('/') || foreign.test(next))
    return front;
  const url = URL.parse(next, origin);
  if (url === null || url.origin !== new URL(origin).origin) return front;
  if (!leadsTo(decoded(url.pathname))) return front;
  // The address as the browser would ask for it: a path that begins with two slashes would be a host.
  return url.pathname.startsWith('//') ? front : url.pathname + url.search;
}

/** A path as routes are found by it. What cannot be decoded is no route here, but may be a page of the site. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
