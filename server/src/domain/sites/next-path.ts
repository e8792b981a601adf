import { memberPages, type PageAddresses } from './page-addresses.ts';

const maxNextLength = 2_000;
// Matches what a browser could read as the start of another host, and what could break a header.
const foreign = /^\/[/\\]|[^\x21-\x5b\x5d-\x7e]/;

/**
 * The destination after a login: a path on the site to which a login may lead, with its query. Anything that could
 * lead elsewhere, or back to the login pages, becomes the front page.
 */
export function checkNext(
  next: string | undefined,
  origin: string,
  { front, leadsTo }: PageAddresses = memberPages,
): string {
  if (next === undefined || next.length > maxNextLength || !next.startsWith('/') || foreign.test(next))
    return front;
  const url = URL.parse(next, origin);
  if (url === null || url.origin !== new URL(origin).origin) return front;
  if (!leadsTo(decoded(url.pathname))) return front;
  // The path as the browser would request it: a path that begins with two slashes would be read as a host.
  return url.pathname.startsWith('//') ? front : url.pathname + url.search;
}

/**
 * The page from which a form was sent, by its `Referer`: a page of the same host, under the conditions of `checkNext`. The
 * front page otherwise. The target of a form is no page, so a login never leads there.
 */
export function checkReferer(referer: string | undefined, origin: string, pages?: PageAddresses): string {
  const url = referer === undefined ? null : URL.parse(referer);
  const isOwn = url !== null && url.origin === new URL(origin).origin;
  return checkNext(isOwn ? url.pathname + url.search : undefined, origin, pages);
}

/** The path as used for routing. A path that cannot be decoded matches no route here, but may be a page of the site. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
