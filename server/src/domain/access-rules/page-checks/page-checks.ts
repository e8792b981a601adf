import type { AccessDecision, CheckPage, PageCheck, PageFile, Site } from '@gatehouse/contract';
import { ApiError, invalidRequest } from '../../../base/api-error.ts';
import type { SiteView } from '../../../storage/site-view.ts';
import { originOf } from '../../sites/site.ts';
import { findSite } from '../../sites/sites.ts';
import { atNamedHost } from '../../sites/visited-site.ts';
import { findTreesToCheck } from '../access-rules.ts';
import { AnonymousVisit } from './anonymous-visit.ts';
import type { FileOfPage, PageLoader } from './page-loader.ts';

/**
 * Requests a page of the site like an anonymous visitor, and decides about the files that it loads.
 * @throws {ApiError} `invalid_request`, `access_group_not_found`, `page_code_not_found`, `site_domain_missing`,
 *   `page_not_public`, `page_redirected`, `page_not_html`, `page_unavailable`, `rate_limited`
 */
export async function checkPage(
  view: SiteView,
  loader: PageLoader,
  { path, host, rules }: CheckPage,
): Promise<PageCheck> {
  const [site, trees] = await Promise.all([findSite(view), findTreesToCheck(view, rules)]);
  const address = addressOf(site, path, host);
  const visit = new AnonymousVisit(site, trees, view.now);
  requireOpen(visit, address);
  const { url, status, files, isComplete } = await loader.load(view.siteId, address, visit);
  return {
    url: url.href,
    status,
    files: files.filter((file) => !visit.isReserved(file.url)).map((file) => toPageFile(visit, file)),
    isComplete,
  };
}

/** The URL that a browser requests for a path. */
function addressOf(site: Site, path: string, host: string | undefined): URL {
  if (site.hosts.length === 0) {
    throw new ApiError(
      'site_domain_missing',
      'The site has no domain yet, so it has no pages. Set domain with PATCH /site.',
    );
  }
  const origin = originOf(atNamedHost(site, host, '/host'));
  // Without a slash, it would continue the host.
  const url = path.startsWith('/') ? URL.parse(origin + path) : null;
  if (url === null) throw invalidRequest('/path', `"${path}" is not a path. Begin it with a slash.`);
  url.hash = '';
  return url;
}

function requireOpen(visit: AnonymousVisit, address: URL): void {
  if (visit.isReserved(address)) {
    throw invalidRequest(
      '/path',
      'This is a page of Gatehouse, which every visitor gets. Check another page.',
    );
  }
  const { allowed, reason } = visit.decide(address);
  if (!allowed) throw new ApiError('page_not_public', notPublic(reason));
}

function notPublic(reason: AccessDecision['reason']): string {
  if (reason === 'site_suspended') return 'The site is suspended, so that nobody gets its pages.';
  if (reason === 'ambiguous_path') {
    return 'Servers may read this path in different ways, so that nobody gets the page. Check the path as a link has it.';
  }
  return `The rules deny this page to anonymous visitors (${reason}). Give it a rule with public, and check it again.`;
}

function toPageFile(visit: AnonymousVisit, { url, type }: FileOfPage): PageFile {
  const { allowed, reason, rule } = visit.decide(url);
  return {
    url: url.href,
    path: url.pathname + url.search,
    host: visit.domainOf(url),
    type,
    allowed,
    reason,
    rule,
  };
}
