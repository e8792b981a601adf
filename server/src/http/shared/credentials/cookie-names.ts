import type { Site } from '@gatehouse/contract';
import { type LoginSurface, loginSurfaceOf } from '../../../domain/sites/site.ts';

/**
 * `form` says in which browser a page with a form was shown, `pass` in which one page codes were entered, `way` how somebody
 * logged in last, `failure` why a login has just failed.
 */
export type CookieName = 'session' | 'login' | 'device' | 'form' | 'pass' | 'way' | 'failure';

/** The dashboard may share its host with a site, so each login surface has its own cookies. */
const cookieNames: Readonly<Record<LoginSurface, Readonly<Record<CookieName, string>>>> = {
  members: {
    session: 'gatehouse_session',
    login: 'gatehouse_login',
    device: 'gatehouse_device',
    form: 'gatehouse_form',
    pass: 'gatehouse_pass',
    way: 'gatehouse_way',
    failure: 'gatehouse_failure',
  },
  operators: {
    session: 'gatehouse_operator',
    login: 'gatehouse_operator_login',
    device: 'gatehouse_operator_device',
    form: 'gatehouse_operator_form',
    // Dashboards have no page codes, and no login providers.
    pass: 'gatehouse_pass',
    way: 'gatehouse_way',
    failure: 'gatehouse_failure',
  },
};

/** The cookie of the gate for CDN workers. */
const edgeCookie = 'gatehouse_edge';

/**
 * The names of all cookies of Gatehouse, without a prefix. The guides have the proxies remove the same ones. The name of
 * the session cookie and of the pass is also in `client/src/gate/gate.ts` with `client/README.md`, and in the description of
 * `verifySession` (`contract/src/credentials/sessions.ts`); that of the gate for CDN workers in
 * `client/src/gate/edge-tokens.ts`; that of operators in `contract/src/dashboard/openapi.ts`.
 */
export const ownCookieNames: readonly string[] = [
  ...new Set(Object.values(cookieNames).flatMap((names) => Object.values(names))),
  edgeCookie,
];

/** Browsers set cookies with these prefixes only under conditions (RFC 6265bis, section 4.1.3). */
export const cookiePrefixes = ['__Host-', '__Secure-'] as const;

const ownCookies = new Set(
  ownCookieNames.flatMap((name) => ['', ...cookiePrefixes].map((prefix) => prefix + name)),
);

/**
 * `__Host-` binds a cookie to its host and to https (RFC 6265bis, section 4.1.3.2); a site without https cannot use
 * it.
 */
export function cookieName(name: CookieName, site: Pick<Site, 'scheme' | 'slug'>): string {
  return `${site.scheme === 'https' ? '__Host-' : ''}${cookieNames[loginSurfaceOf(site)][name]}`;
}

/** The form of our names, with what programs read as the same: spaces, and no name before it. */
const ownForm = /^[ \t]*=?[ \t]*((?:__Host-|__Secure-)?gatehouse_[a-z_]+)[ \t]*(?:=|$)/;

/**
 * Whether a cookie, `name=value`, is one of Gatehouse's, of members or operators: they also share a host on other ports.
 * Browsers send a cookie without a name as its value alone, which may look like one of Gatehouse's.
 */
export function isOwnCookie(cookie: string): boolean {
  const [, name] = ownForm.exec(cookie) ?? [];
  return name !== undefined && ownCookies.has(name);
}

/** A `Cookie` header as a program may receive it: without Gatehouse's cookies. Undefined if nothing is left. */
export function cookiesForProgram(header: string | undefined): string | undefined {
  if (!header?.includes('gatehouse_')) return header?.trim() || undefined;
  if (!header.includes(';') && isOwnCookie(header)) return undefined;
  const cookies = header.split(';').filter((each) => !isOwnCookie(each));
  return cookies.join(';').trim() || undefined;
}
