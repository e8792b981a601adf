import { hash } from 'node:crypto';
import type { Site } from '@gatehouse/contract';
import { availableLanguages, chooseLanguage } from '../languages/languages.ts';
import { type PageFrame, styleSheet } from '../pages/pages.ts';
import { memberRealm, realmOf } from '../sites/realm.ts';

/** On every page. Nothing but the site's own style, picture and the one small script can come into it. */
export const pageHeaders = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; " +
    "frame-ancestors 'none'",
  'content-type': 'text/html; charset=utf-8',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // With `no-referrer` a form would be sent without an origin to know it by.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
} as const;

export const headersWithoutSite = {
  ...pageHeaders,
  'content-security-policy': pageHeaders['content-security-policy'].replace(
    "style-src 'self'",
    'style-src data:',
  ),
};

/** What every page of a site shares. */
export function frameOf(site: Site, acceptLanguage: string | undefined): PageFrame {
  const realm = realmOf(site);
  return {
    site: { title: site.title, colour: site.colour, logoUrl: site.logoUrl },
    realm,
    language: chooseLanguage(acceptLanguage, site.languages),
    styleAddress: `${realm.prefix}/style.css?v=${styleOf(site.colour).version}`,
  };
}

/** What a page has where there is no site. Nothing else is answered there, so the page brings its style along. */
export function frameWithoutSite(acceptLanguage: string | undefined): PageFrame {
  return {
    site: { title: 'Gatehouse', colour: null, logoUrl: null },
    realm: memberRealm,
    language: chooseLanguage(acceptLanguage, availableLanguages),
    styleAddress: `data:text/css;base64,${Buffer.from(styleOf(null).sheet).toString('base64')}`,
  };
}

interface Style {
  readonly sheet: string;
  /** Changes with the sheet, so that browsers may keep it. */
  readonly version: string;
}

const styles = new Map<string | null, Style>();
const mostStyles = 1_000;

/** The style sheet of the sites of one colour. */
export function styleOf(colour: string | null): Style {
  let style = styles.get(colour);
  if (!style) {
    const sheet = styleSheet(colour);
    style = { sheet, version: hash('sha256', sheet, 'hex').slice(0, 8) };
    if (styles.size >= mostStyles) styles.clear();
    styles.set(colour, style);
  }
  return style;
}

/** The domain is the operator's, and its subdomains are none of our business. */
export function transportHeaders({ scheme }: Site): Record<string, string> {
  return scheme === 'https' ? { 'strict-transport-security': 'max-age=31536000' } : {};
}
