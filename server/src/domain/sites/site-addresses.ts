import type { Site } from '@gatehouse/contract';
import { checkNext, checkReferer } from './next-path.ts';
import { loginPath, memberPages, operatorPages, type PageAddresses } from './page-addresses.ts';
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

/**
 * The login page URL of a site that has a domain. The login continues to `next`, if that is allowed.
 * @param isUnsent whether the page says that a form was not sent
 */
export function loginUrl(site: Site, next: string | undefined, isUnsent = false): string {
  const origin = originOf(site)!;
  const pages = pagesOf(site);
  return origin + loginPath(pages, checkNext(next, origin, pages), isUnsent);
}

/** The login page URL for a visitor whose form was not sent. The login continues to the page of the form. */
export function loginUrlAfterForm(site: Site, referer: string | undefined): string {
  return loginUrl(site, checkReferer(referer, originOf(site)!, pagesOf(site)), true);
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

/** The URL of the page on which operators see their sessions and passkeys. */
export function operatorAccountUrl(tenant: Site): string {
  return `${originOf(tenant)}${operatorPages.prefix}/me`;
}

/** The URL of the login page with an email address filled in, for someone invited to a site with a domain. */
export function invitationUrl(site: Site, email: string): string {
  return `${originOf(site)}${pagesOf(site).prefix}/login?email=${encodeURIComponent(email)}`;
}
