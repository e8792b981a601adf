import { type Html, html } from '../../base/text/html.ts';
import type { LoginProviderType } from '../../domain/login-providers/login-provider.ts';
import { providerLoginPath } from '../../domain/sites/page-addresses.ts';
import { fillHtml, isolated, type PageFrame, pageTexts } from '../page.ts';
import { providerMark } from './provider-mark.ts';

/** A provider as the pages show it. */
export interface ShownProvider {
  readonly id: string;
  readonly type: LoginProviderType;
  readonly name: string;
}

/** The providers of the login page. */
export interface OfferedProviders {
  /** The one with which somebody logged in last in this browser, which comes before the email field. */
  readonly last: ShownProvider | undefined;
  /** The others, after it. */
  readonly others: readonly ShownProvider[];
}

/** The way that was used last, above the field for an email address. */
export function lastProviderPart(frame: PageFrame, provider: ShownProvider, next: string): Html {
  const { texts } = pageTexts(frame);
  return html`<div class="ways">
${loginButton(frame, provider, next, 'marked')}<p class="details">${texts['provider.usedLast']}</p>
</div>
<p class="or">${texts['provider.or']}</p>
`;
}

/** The providers below the field for an email address. */
export function otherProvidersPart(
  frame: PageFrame,
  { last, others }: OfferedProviders,
  next: string,
): Html | false {
  if (others.length === 0) return false;
  const { texts } = pageTexts(frame);
  return html`${last === undefined && html`<p class="or">${texts['provider.or']}</p>\n`}<div class="ways">
${others.map((provider) => loginButton(frame, provider, next, 'quiet marked'))}</div>
`;
}

function loginButton(frame: PageFrame, provider: ShownProvider, next: string, style: ButtonStyle): Html {
  const { texts } = pageTexts(frame);
  return html`<form method="post" action="${providerLoginPath(provider.id)}">
<input type="hidden" name="next" value="${next}">
${providerButton(provider, fillHtml(texts['provider.continue'], { provider: isolated(provider.name) }), style)}</form>
`;
}

/** The first choice of a page is not quiet. */
type ButtonStyle = 'marked' | 'quiet marked';

/** A button with the mark of the provider. */
export function providerButton({ type }: ShownProvider, text: Html, style: ButtonStyle): Html {
  return html`<button class="${style}" type="submit">${providerMark(type)}<span>${text}</span></button>
`;
}
