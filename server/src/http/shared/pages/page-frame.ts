import { hash } from 'node:crypto';
import type { Site } from '@gatehouse/contract';
import { memberPages } from '../../../domain/sites/page-addresses.ts';
import { originOf } from '../../../domain/sites/site.ts';
import { pagesOf } from '../../../domain/sites/site-addresses.ts';
import { noLinks } from '../../../domain/sites/site-links.ts';
import { availableLanguages, chooseLanguage } from '../../../i18n/languages.ts';
import { type PageFrame, styleSheet } from '../../../pages/pages.ts';

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

export const headersWithoutSite = {
  ...pageHeaders,
  'content-security-policy': pageHeaders['content-security-policy'].replace(
    "style-src 'self'",
    'style-src data:',
  ),
};

/** The data that all pages of a site share. */
export function frameOf(site: Site, acceptLanguage: string | undefined): PageFrame {
  const addresses = pagesOf(site);
  return {
    site: { title: site.title, color: site.color, logoUrl: site.logoUrl, links: site.links },
    addresses,
    language: chooseLanguage(acceptLanguage, site.languages),
    styleAddress: `${addresses.prefix}/style.css?v=${styleOf(site.color).version}`,
  };
}

/**
 * The frame of the page for an unknown site. Its style is embedded, because no other request is answered at that
 * host.
 */
export function frameWithoutSite(acceptLanguage: string | undefined): PageFrame {
  return {
    site: { title: 'Gatehouse', color: null, logoUrl: null, links: noLinks },
    addresses: memberPages,
    language: chooseLanguage(acceptLanguage, availableLanguages),
    styleAddress: embeddedStyle(null),
  };
}

/** The style sheet of a color as an address that contains it. */
export function embeddedStyle(color: string | null): string {
  return `data:text/css;base64,${Buffer.from(styleOf(color).sheet).toString('base64')}`;
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
    style = { sheet, version: hash('sha256', sheet, 'hex').slice(0, 8) };
    if (styles.size >= maxStyles) styles.clear();
    styles.set(color, style);
  }
  return style;
}

/** Without `includeSubDomains`: the subdomains of the site's domain are not ours. */
export function transportHeaders({ scheme }: Site): Record<string, string> {
  return scheme === 'https' ? { 'strict-transport-security': 'max-age=31536000' } : {};
}
