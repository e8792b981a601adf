import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../../base/clock.ts';
import type { KnownBrowser } from '../../../domain/known-browsers/known-browsers.ts';
import type { SessionLifetime } from '../../../domain/sessions/session.ts';
import type { VisitedSite } from '../../../domain/sites/visited-site.ts';
import type { CallRunner } from '../../../runtime/call.ts';
import type { Database } from '../../../storage/database.ts';
import type { SiteView } from '../../../storage/site-view.ts';
import type { Admission } from '../credentials/admission.ts';
import type { RateLimits } from '../limits/rate-limit.ts';

export interface PageSettings {
  /** Login links for one address in 15 minutes; 0 for no limit. */
  readonly loginLimit: number;
  /** Forms sent from one client address in 15 minutes; 0 for no limit. */
  readonly loginLimitClient: number;
  /** How long operators stay logged in. */
  readonly operatorSessions: SessionLifetime;
  /** Whether operators have to log in with a passkey. */
  readonly requirePasskeys: boolean;
}

/** The dependencies of a site's pages, for members and operators alike. */
export interface PageParts {
  readonly database: Database;
  readonly admission: Admission;
  readonly limits: RateLimits;
  /** Runs changes. */
  readonly writer: CallRunner;
  readonly clock: Clock;
  readonly settings: PageSettings;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The site of the requested page. Set on every page. */
    site: VisitedSite | null;
    /** The known browser that sends a form; null for any other browser. */
    knownBrowser: KnownBrowser | null;
  }
  interface FastifyContextConfig {
    /** Whether pages of other sites may send a form to the route. It then comes without the cookies of the browser. */
    isSentByOthers?: true;
  }
}

/** The site of a page, as it is now. */
export function viewOf({ database, clock }: PageParts, { site }: FastifyRequest): SiteView {
  return { db: database, siteId: site!.id, now: clock().toISOString() };
}
