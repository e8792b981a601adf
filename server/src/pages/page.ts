import type { SiteLinks } from '@gatehouse/contract';
import { type Html, type HtmlValue, html } from '../base/text/html.ts';
import type { PageAddresses } from '../domain/sites/page-addresses.ts';
import { type Texts, textsOf } from '../i18n/languages.ts';
import type { PageScript } from './page-script.ts';
import { initialOf } from './site-mark.ts';

/** The data that all pages of a site share. */
export interface PageFrame {
  readonly site: PageSite;
  readonly addresses: PageAddresses;
  /** One of `availableLanguages`. */
  readonly language: string;
  /** Its version changes with the style sheet, so that browsers can cache it for a day. */
  readonly styleAddress: string;
  /** The picture in the tab of the browser. Its version changes with it, too. */
  readonly iconAddress: string;
}

export interface PageSite {
  readonly title: string;
  /** `#rrggbb` */
  readonly color: string | null;
  readonly logoUrl: string | null;
  readonly links: SiteLinks;
}

export interface PageContent {
  readonly heading: string;
  readonly body: HtmlValue;
  /** Whether it shows lists, which need more room than a form. */
  readonly isWide?: boolean;
  readonly scripts?: readonly PageScript[];
  /** The URL to which the browser goes on by itself, in place of this page. */
  readonly refreshTo?: string;
}

/** The whole document: the site's logo and title, the heading, and the content. */
export function page(frame: PageFrame, content: PageContent): string {
  const { site, addresses, language, styleAddress, iconAddress } = frame;
  const scripts = (content.scripts ?? []).map(
    ({ name, version, isFirst }) =>
      html`<script src="${`${addresses.prefix}/${name}?v=${version}`}"${!isFirst && html` defer`}></script>\n`,
  );
  return html`<!DOCTYPE html>
<html lang="${language}" dir="${textsOf(language).direction}">
<head>
<meta charset="utf-8">
<title>${content.heading} · ${site.title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
${content.refreshTo !== undefined && html`<meta http-equiv="refresh" content="0;url=${content.refreshTo}">\n`}<link rel="stylesheet" href="${styleAddress}">
<link rel="icon" href="${iconAddress}">
${scripts}</head>
<body>
<div class="card${content.isWide && ' wide'}">
<header>
${logo(site)}
<p class="site"><bdi>${site.title}</bdi></p>
</header>
<main>
<h1>${content.heading}</h1>
${content.body}
</main>
</div>
${footer(frame)}</body>
</html>
`.toString();
}

/** The links of the site that help on every page. */
function footer({ site: { links }, language }: PageFrame): Html | false {
  const texts = textsOf(language);
  const shown = footerLinks.filter((name) => links[name] !== null);
  if (shown.length === 0) return false;
  return html`<footer>
${shown.map((name) => html`<a href="${links[name]}" rel="noreferrer">${texts[`links.${name}`]}</a>\n`)}</footer>
`;
}

const footerLinks = ['contact', 'imprint', 'privacy'] as const;

/** The texts of the page's language, and a function that fills in the site's title. */
export function pageTexts({ site, language }: PageFrame): { texts: Texts; named: (text: string) => Html } {
  return { texts: textsOf(language), named: (text) => fillHtml(text, { site: isolated(site.title) }) };
}

/** Replaces `{name}` with markup. */
export function fillHtml(text: string, values: Readonly<Record<string, Html>>): Html {
  const parts = text.split(/\{(\w+)\}/);
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : (values[part] ?? `{${part}}`)))}`;
}

/** Text from users, isolated so that it cannot change the direction of the surrounding sentence. */
export function isolated(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

/** An email address or name, emphasized. */
export function emphasized(text: string): Html {
  return html`<strong><bdi>${text}</bdi></strong>`;
}

/** The problem with a form. Its field refers to it as its description. */
export function problemNote(text: string | Html): Html {
  return html`<p class="problem" id="problem" role="alert">${text}</p>`;
}

function logo({ title, logoUrl }: PageSite): Html {
  return logoUrl === null
    ? html`<span class="initial" aria-hidden="true">${initialOf(title)}</span>`
    : html`<img class="logo" src="${logoUrl}" alt="">`;
}
