import type { AccessDecision, Site } from '@gatehouse/contract';
import { loginUrl, pageCodeUrl } from '../sites/site-addresses.ts';
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
