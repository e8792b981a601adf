import { hash } from 'node:crypto';
import type { Site } from '@gatehouse/contract';
import { memberPages } from '../../../domain/sites/page-addresses.ts';
import { originOf } from '../../../domain/sites/site.ts';
import { pagesOf } from '../../../domain/sites/site-addresses.ts';
import { noLinks } from '../../../domain/sites/site-links.ts';
import { availableLanguages, chooseLanguage } from '../../../i18n/languages.ts';
import { type PageFrame, siteMark, styleSheet } from '../../../pages/pages.ts';

/** The headers of every page. A page can load only the site's own style, images and scripts. */
export const pageHeaders = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; " +
    "frame-ancestors 'none'",
  'content-type': 'text/html; charset=utf-8',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // With `no-referrer` a form would be sent without an origin to check.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
} as const;

/** The headers of a site's pages. A form may be answered with a redirect to another host of the site. */
export function pageHeadersOf({ hosts }: Pick<Site, 'hosts'>): Record<string, string> {
  if (hosts.length < 2) return pageHeaders;
  const origins = hosts.map((host) => originOf(host)).join(' ');
  return {
    ...pageHeaders,
    'content-security-policy': pageHeaders['content-security-policy'].replace(
      "form-action 'self'",
      `form-action 'self' ${origins}`,
    ),
  };
}

/** The headers of pages that contain their style and their icon, because they can load nothing. */
export const headersWithoutSite = {
  ...pageHeaders,
  'content-security-policy': pageHeaders['content-security-policy'].replace(
    /(style|img)-src 'self'/g,
    '$1-src data:',
  ),
};

/** The data that all pages of a site share. */
export function frameOf(site: Site, acceptLanguage: string | undefined): PageFrame {
  const addresses = pagesOf(site);
  const { title, color, logoUrl, links } = site;
  return {
    site: { title, color, logoUrl, links },
    addresses,
    language: chooseLanguage(acceptLanguage, site.languages),
    styleAddress: `${addresses.prefix}/style.css?v=${styleOf(color).version}`,
    iconAddress: logoUrl ?? `${addresses.icon}?v=${versionOf(`${color} ${title}`)}`,
  };
}

/**
 * The frame of the page for an unknown site. Its style and its icon are embedded, because no other request is answered at
 * that host.
 */
export function frameWithoutSite(acceptLanguage: string | undefined): PageFrame {
  const site = { title: 'Gatehouse', color: null, logoUrl: null, links: noLinks };
  return {
    site,
    addresses: memberPages,
    language: chooseLanguage(acceptLanguage, availableLanguages),
    ...embeddedAssets(site),
  };
}

/** The style sheet and the icon of a site as addresses that contain them. */
export function embeddedAssets(site: Pick<Site, 'title' | 'color'>) {
  return {
    styleAddress: embedded('text/css', styleOf(site.color).sheet),
    iconAddress: embedded('image/svg+xml', siteMark(site)),
  };
}

function embedded(mediaType: string, text: string): string {
  return `data:${mediaType};base64,${Buffer.from(text).toString('base64')}`;
}

interface Style {
  readonly sheet: string;
  /** Changes with the sheet, so that browsers can cache it. */
  readonly version: string;
}

const styles = new Map<string | null, Style>();
const maxStyles = 1_000;

/** The style sheet of the sites of one color. */
export function styleOf(color: string | null): Style {
  let style = styles.get(color);
  if (!style) {
    const sheet = styleSheet(color);
    style = { sheet, version: versionOf(sheet) };
    if (styles.size >= maxStyles) styles.clear();
    styles.set(color, style);
  }
  return style;
}

function versionOf(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 8);
}

/** Without `includeSubDomains`: the subdomains of the site's domain are not ours. */
export function transportHeaders({ scheme }: Site): Record<string, string> {
  return scheme === 'https' ? { 'strict-transport-security': 'max-age=31536000' } : {};
}
