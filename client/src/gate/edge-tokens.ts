import { maxTokenLength, type TokenVerifier } from '../tokens/token-verifier.ts';

import { checkedPath, isOwnPath, methodOf, passCookie, sessionCookie, type Visit } from './gate.ts';
import { readCookie, readSessionToken } from './session-cookie.ts';

const cookieName = '__Host-gatehouse_edge';
const cookieSeconds = 55;

/** A path that every program reads in the same way, like `readPlainPath` of the server. */
const plainPath = /^\/(?:[\w+@,=!-]+\/)*(?:(?:\.?[\w+@,=!-])+)?$/;

/** The edge tokens of visitors, each in a cookie of its visitor. */
export class EdgeTokens {
  readonly #verifier: TokenVerifier;

  constructor(verifier: TokenVerifier) {
    this.#verifier = verifier;
  }

  /** The visitor, if a valid token is for exactly this visitor and this page. */
  async find(visit: Visit): Promise<EdgeVisitor | undefined> {
    const path = checkedPath(visit);
    if (path === undefined || isOwnPath(path) || !this.mayKeep(visit)) return undefined;
    const token = readCookie(visit.cookies, cookieName, maxTokenLength);
    const claims = token === null ? undefined : await this.#verifier.verify(token);
    if (!claims || !isInScope(path, claims)) return undefined;
    if (claims.pass !== undefined)
      return (await isPassOf(visit, claims)) ? { memberId: null, byCode: true } : undefined;
    if (claims.session !== (await hashOfCookie(visit, sessionCookie))) return undefined;
    return { memberId: typeof claims.sub === 'string' ? claims.sub : null, byCode: false };
  }

  /** Whether a token can be used for such a request. */
  mayKeep(visit: Visit): boolean {
    const method = methodOf(visit);
    return method === 'GET' || method === 'HEAD';
  }

  /** The response with the token for the next requests. */
  keep(response: Response, token: string | null): Response {
    return token === null || token.length > maxTokenLength
      ? response
      : withCookie(response, token, cookieSeconds);
  }

  /** The response without a token for the next requests: the visitor may have lost more than this page. */
  remove({ cookies }: Visit, response: Response): Response {
    return cookies.includes(`${cookieName}=`) ? withCookie(response, '', 0) : response;
  }
}

/** A token is for one page with its query, or for everything below a folder, whose path ends with a slash. */
function isInScope(path: string, { page, folder }: Readonly<Record<string, unknown>>): boolean {
  if (typeof page === 'string') return folder === undefined && page === path;
  if (typeof folder !== 'string' || !/^\/(?:.*\/)?$/.test(folder)) return false;
  const name = path.split('?', 1)[0]!;
  return plainPath.test(name) && name.startsWith(folder) && name.length > folder.length;
}

/** Whether a token is for everyone with the pass of this browser. It names neither a session nor a member. */
async function isPassOf(visit: Visit, claims: Readonly<Record<string, unknown>>): Promise<boolean> {
  const { pass, session, sub } = claims;
  return session === undefined && sub === undefined && pass === (await hashOfCookie(visit, passCookie));
}

/** What a token says about a cookie: undefined without it. */
async function hashOfCookie({ cookies }: Visit, name: string): Promise<string | undefined> {
  const cookie = readSessionToken(cookies, name);
  if (cookie === null) return undefined;
  const bytes = new TextEncoder().encode(`gatehouse edge token\n${cookie}`);
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return btoa(String.fromCharCode(...hash))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function withCookie(given: Response, value: string, seconds: number): Response {
  const response = new Response(given.body, given);
  response.headers.append(
    'set-cookie',
    `${cookieName}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Lax`,
  );
  return response;
}

/** Who requests a page. */
export interface EdgeVisitor {
  /** The member; null for an anonymous visitor of a public page, and where access depends on a page code. */
  readonly memberId: string | null;
  /** Whether access depends on a page code that the visitor has entered. */
  readonly byCode: boolean;
}
