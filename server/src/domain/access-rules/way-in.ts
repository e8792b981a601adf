import type { AccessDecision, AccessReason, Site } from '@gatehouse/contract';
import { accessRequestUrl, loginUrl, pageCodeUrl } from '../sites/site-addresses.ts';
import { mayHelpToEnterCode } from './decision/access-decision.ts';

/** Where a visitor continues who gets access. */
export interface WayBack {
  /** A path of the site, which need not be checked. */
  readonly next: string | undefined;
  /** Whether the page says that a form was not sent. */
  readonly isUnsent: boolean;
}

/**
 * The page of a site with a domain for what a visitor lacks: a page code, or a login. If either of them helps, it is the
 * login page, which offers the other one.
 */
export function wayInUrl(site: Site, { next, isUnsent }: WayBack, decision?: AccessDecision): string {
  if (decision?.reason === 'code_required') return pageCodeUrl(site, next);
  const offersCode = decision !== undefined && mayHelpToEnterCode(decision);
  return loginUrl(site, next, { isUnsent, offersCode });
}

/** The pages, beside the login, on which a visitor without access can get it; null where that would not help. */
export interface WaysIn {
  readonly pageCodeUrl: string | null;
  readonly accessRequestUrl: string | null;
}

export const noWaysIn: WaysIn = { pageCodeUrl: null, accessRequestUrl: null };

/** What an operator can change for a member. */
const askingHelps: ReadonlySet<AccessReason> = new Set(['not_paying', 'not_in_groups', 'condition_not_met']);

/** @param isMember whether a member is logged in who is not blocked */
export function waysIn(
  site: Site,
  next: string | undefined,
  decision: AccessDecision,
  isMember: boolean,
): WaysIn {
  const offersRequest = isMember && site.allowsAccessRequests && askingHelps.has(decision.reason);
  return {
    pageCodeUrl: mayHelpToEnterCode(decision) ? pageCodeUrl(site, next) : null,
    accessRequestUrl: offersRequest ? accessRequestUrl(site, next) : null,
  };
}
