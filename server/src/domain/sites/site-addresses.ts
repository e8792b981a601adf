import type { Site } from '@gatehouse/contract';
import { checkNext } from './next-path.ts';
import {
  joinPath,
  type LoginNotes,
  loginPath,
  memberPages,
  operatorPages,
  type PageAddresses,
  pageCodePath,
} from './page-addresses.ts';
import { loginSurfaceOf, originOf } from './site.ts';
import { primaryOriginOf, type VisitedSite } from './visited-site.ts';

/** The addresses of a site's pages, for its members or its operators. */
export function pagesOf(site: Pick<Site, 'slug'>): PageAddresses {
  return loginSurfaceOf(site) === 'operators' ? operatorPages : memberPages;
}

/** A page of the site at its primary host. */
export function primaryUrl(site: VisitedSite, target: string): string {
  const origin = primaryOriginOf(site);
  return origin + checkNext(target, origin);
}

/** The login page URL of a site that has a domain. The login continues to `next`, if that is allowed. */
export function loginUrl(site: Site, next: string | undefined, notes?: LoginNotes): string {
  const origin = originOf(site)!;
  const pages = pagesOf(site);
  return origin + loginPath(pages, checkNext(next, origin, pages), notes);
}

/** The URL of the page for page codes of a site that has a domain, at the host where the code is needed. */
export function pageCodeUrl(site: Site, next: string | undefined, offersLogin = false): string {
  const origin = originOf(site)!;
  return origin + pageCodePath(checkNext(next, origin), offersLogin);
}

/** The URL of the page on which somebody asks to join a site that has a domain, or for access to the page `next`. */
export function accessRequestUrl(site: Site, next: string | undefined): string {
  const origin = originOf(site)!;
  return origin + joinPath(memberPages, checkNext(next, origin));
}

/** The URL of a login link, on a site that has a domain. */
export function loginLinkUrl(site: Site, token: string): string {
  return `${originOf(site)}${pagesOf(site).prefix}/link/${token}`;
}

/** The URL of an invitation, on a site that has a domain. */
export function joinUrl(site: Site, code: string): string {
  return `${originOf(site)}${pagesOf(site).prefix}/join/${code}`;
}

/** The URL of the page on which members see their sessions, on a site that has a domain. */
export function accountUrl(site: Site): string {
  return `${originOf(site)}${memberPages.prefix}/account`;
}

/** The URL of the page on which the former address of a member takes a change back, on a site that has a domain. */
export function addressReversalUrl(site: Site, token: string): string {
  return `${originOf(site)}${memberPages.prefix}/take-back-address/${token}`;
}

/** The URL of the page on which operators see their sessions and passkeys. */
export function operatorAccountUrl(tenant: Site): string {
  return `${originOf(tenant)}${operatorPages.prefix}/me`;
}

/** The URL of the login page with an email address filled in, for someone invited to a site with a domain. */
export function invitationUrl(site: Site, email: string): string {
  return `${originOf(site)}${pagesOf(site).prefix}/login?email=${encodeURIComponent(email)}`;
}
