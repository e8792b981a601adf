import type { AccessRule } from '@gatehouse/contract';
import { isWildcard } from '@gatehouse/contract/rule-paths';
import { decide } from '../../../domain/access-rules/decision/access-decision.ts';
import type { AccessTree } from '../../../domain/access-rules/decision/access-tree.ts';
import { compileAccessTrees, treeAt } from '../../../domain/access-rules/decision/access-trees.ts';
import { memberPages } from '../../../domain/sites/page-addresses.ts';
import { type Check, ok, warn } from './check.ts';

const timeoutMilliseconds = 5_000;
const maxPages = 5;
const maxPageBytes = 200_000;
const maxFiles = 200;
const maxShown = 3;

/**
 * Whether everyone can load what the public pages of a site consist of: style sheets, scripts and pictures. The pages are
 * fetched as an anonymous visitor gets them, a few of them, and the rules decide on the files.
 * @param domain that of the host of the site
 */
export async function checkPublicPages(
  origin: string,
  rules: readonly AccessRule[],
  domain: string | null,
): Promise<Check[]> {
  const tree = treeAt(compileAccessTrees(rules), domain);
  const paths = [...new Set(['/', ...rules.filter(isNamed).map(({ path }) => path)])];
  const pages = paths
    .map(encodeURI)
    .filter((path) => isPublic(tree, path))
    .slice(0, maxPages);
  const found = await Promise.all(pages.map((page) => deniedFilesOf(tree, new URL(page, origin))));
  const incomplete = found.filter(({ denied }) => denied.length > 0);
  if (incomplete.length > 0) return incomplete.map(describe);
  return pages.length === 0 ? [] : [ok('public pages', 'everybody can load what they consist of')];
}

interface PublicPage {
  readonly page: string;
  /** The paths of its files that a visitor who is not logged in does not get. */
  readonly denied: readonly string[];
}

async function deniedFilesOf(tree: AccessTree, page: URL): Promise<PublicPage> {
  const html = await fetchPage(page).catch(() => '');
  const targets = filesIn(html, page).map(({ pathname, search }) => pathname + search);
  const denied = targets.filter((target) => !isPublic(tree, target));
  return { page: page.pathname, denied: [...new Set(denied.map((target) => target.split('?')[0]!))] };
}

function describe({ page, denied }: PublicPage): Check {
  const more = denied.length - maxShown;
  const shown = denied.slice(0, maxShown).join(', ') + (more > 0 ? `, and ${more} more` : '');
  return warn(
    'public pages',
    `everybody sees ${page}, but not what it loads: ${shown}`,
    'Add a rule that makes these files public, or the folder that they are in (docs/guides/access-rules.md).',
  );
}

/** The beginning of an HTML page. Empty for anything else, such as a redirect. */
async function fetchPage(page: URL): Promise<string> {
  const response = await fetch(page, {
    headers: { accept: 'text/html' },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMilliseconds),
  });
  const isPage = response.status === 200 && /^text\/html\b/i.test(response.headers.get('content-type') ?? '');
  let html = '';
  if (isPage && response.body) {
    const decoder = new TextDecoder();
    for await (const bytes of response.body) {
      html += decoder.decode(bytes, { stream: true });
      if (html.length >= maxPageBytes) break;
    }
  }
  if (!response.bodyUsed) await response.body?.cancel();
  return html;
}

const tags = /<(?:link|script|img|source|video|audio|embed|iframe)\b[^<>]{0,2000}>/gi;
const address = /\s(?:href|src|poster)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;
const linkThatLoads = /\srel\s*=\s*["']?[^"'>]*\b(?:stylesheet|icon|preload|modulepreload|manifest)\b/i;

/** What a page loads from its own host. */
function filesIn(html: string, page: URL): URL[] {
  const files: URL[] = [];
  for (const [tag] of withoutComments(html).matchAll(tags)) {
    if (/^<link/i.test(tag) && !linkThatLoads.test(tag)) continue;
    const [, ...values] = address.exec(tag) ?? [];
    const value = values.find((each) => each !== undefined)?.replaceAll('&amp;', '&');
    if (value === undefined || !URL.canParse(value, page)) continue;
    const file = new URL(value, page);
    if (file.origin === page.origin) files.push(file);
    if (files.length >= maxFiles) break;
  }
  return files;
}

function withoutComments(html: string): string {
  const [first = '', ...others] = html.split('<!--');
  return first + others.map((part) => part.split('-->').slice(1).join('-->')).join('');
}

/** A rule for one name, and not for all that begin like it. */
function isNamed({ path }: AccessRule): boolean {
  return !isWildcard(path);
}

function isPublic(tree: AccessTree, target: string): boolean {
  const request = {
    target,
    method: () => 'GET',
    isPreflight: () => false,
    time: Date.now(),
    ipAddress: () => undefined,
  };
  return decide(tree, request, null, 'active').allowed || target.startsWith(`${memberPages.prefix}/`);
}
