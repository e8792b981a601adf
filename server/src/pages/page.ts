import { type Html, type HtmlValue, html } from '../base/html.ts';
import { type Texts, textsOf } from '../languages/languages.ts';
import type { Realm } from '../sites/realm.ts';
import type { PageScript } from './page-script.ts';

/** What all pages of a site have in common. */
export interface PageFrame {
  readonly site: PageSite;
  readonly realm: Pick<Realm, 'prefix' | 'front' | 'icon'>;
  /** One of `availableLanguages`. */
  readonly language: string;
  /** It changes with the style sheet, so that browsers may keep it for a day. */
  readonly styleAddress: string;
}

export interface PageSite {
  readonly title: string;
  /** `#rrggbb` */
  readonly colour: string | null;
  readonly logoUrl: string | null;
}

export interface PageContent {
  readonly heading: string;
  readonly body: HtmlValue;
  readonly scripts?: readonly PageScript[];
}

/** The whole document: the site's logo and title, the heading, and what the page is about. */
export function page({ site, realm, language, styleAddress }: PageFrame, content: PageContent): string {
  const icon = site.logoUrl ?? realm.icon;
  const scripts = (content.scripts ?? []).map(
    ({ name, version }) => html`<script src="${`${realm.prefix}/${name}?v=${version}`}" defer></script>\n`,
  );
  return html`<!DOCTYPE html>
<html lang="${language}" dir="${textsOf(language).direction}">
<head>
<meta charset="utf-8">
<title>${content.heading} · ${site.title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="stylesheet" href="${styleAddress}">
${icon !== null && html`<link rel="icon" href="${icon}">\n`}${scripts}</head>
<body>
<div class="card">
<header>
${logo(site)}
<p class="site"><bdi>${site.title}</bdi></p>
</header>
<main>
<h1>${content.heading}</h1>
${content.body}
</main>
</div>
</body>
</html>
`.toString();
}

/** Texts of the page's language, and ways to put values into them. */
export function pageTexts({ site, language }: PageFrame): { texts: Texts; named: (text: string) => Html } {
  return { texts: textsOf(language), named: (text) => fillHtml(text, { site: isolated(site.title) }) };
}

/** Puts markup in the place of `{name}`. */
export function fillHtml(text: string, values: Readonly<Record<string, Html>>): Html {
  const parts = text.split(/\{(\w+)\}/);
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : (values[part] ?? `{${part}}`)))}`;
}

/** A text that others wrote, which must not turn the direction of the sentence around it. */
export function isolated(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

/** An address or name, so that it stands out. */
export function emphasized(text: string): Html {
  return html`<strong><bdi>${text}</bdi></strong>`;
}

/** What went wrong with a form. Its field names it as its description. */
export function problemNote(text: string): Html {
  return html`<p class="problem" id="problem" role="alert">${text}</p>`;
}

/** Where the login page is found, leading on to `next`. */
export function loginAddress({ realm }: Pick<PageFrame, 'realm'>, next: string): string {
  return next === realm.front
    ? `${realm.prefix}/login`
    : `${realm.prefix}/login?next=${encodeURIComponent(next.toWellFormed())}`;
}

function logo({ title, logoUrl }: PageSite): Html {
  return logoUrl === null
    ? html`<span class="initial" aria-hidden="true">${initialOf(title)}</span>`
    : html`<img class="logo" src="${logoUrl}" alt="">`;
}

/** The first letter or figure of a title; where it has none, the first character. */
function initialOf(title: string): string {
  const characters = [...new Intl.Segmenter().segment(title.trim())].map(({ segment }) => segment);
  const initial = characters.find((character) => /[\p{L}\p{N}]/u.test(character)) ?? characters[0] ?? '';
  return initial.toUpperCase();
}
