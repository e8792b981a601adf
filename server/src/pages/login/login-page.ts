import { fill } from '@gatehouse/contract/fill';
import { type Html, html } from '../../base/text/html.ts';
import { offersCodeField } from '../../domain/sites/page-addresses.ts';
import { inMinutes, type Texts } from '../../i18n/languages.ts';
import {
  lastProviderPart,
  type OfferedProviders,
  otherProvidersPart,
} from '../login-providers/provider-buttons.ts';
import { type ProviderProblem, providerProblemText } from '../login-providers/provider-problem.ts';
import { type PageFrame, page, pageTexts, problemNote } from '../page.ts';
import type { PageScript } from '../page-script.ts';
import { type PasskeyLogin, passkeyLogin } from '../passkeys/login-part.ts';
import { passkeyScript } from '../passkeys/login-script.ts';
import { sendOnceScript } from './send-once-script.ts';

export interface LoginPage {
  /** Where to go after the login. */
  readonly next: string;
  /** The address entered before, or an empty text. */
  readonly email: string;
  /** `unsent`: the visitor has sent a form of the site, which did not receive it. */
  readonly problem?: 'invalid_email' | 'too_many' | 'expired_link' | 'unsent';
  /** Whether people who are not members become members by logging in. */
  readonly offersSignUp?: boolean;
  /** Where people who are not members ask to join; omitted if they cannot. */
  readonly joinPath?: string | undefined;
  /** How to log in with a passkey; omitted if nobody can. */
  readonly passkeys?: PasskeyLogin | undefined;
  /** The URL of the page for page codes, if a code gives access too. */
  readonly pageCodeUrl?: string | undefined;
  /** Whether this is a preview, which must not take the focus. */
  readonly isPreview?: boolean;
  /** When to try again after `too_many`. */
  readonly waitMinutes?: number;
  /** The accounts elsewhere with which members can log in. */
  readonly providers?: OfferedProviders | undefined;
  /** Why a login with one of them has failed. */
  readonly providerProblem?: ProviderProblem;
}

/** The page on which a visitor requests a login link. */
export function loginPage(frame: PageFrame, content: LoginPage): string {
  const { texts } = pageTexts(frame);
  const { next, providers, providerProblem } = content;
  const name = content.offersSignUp ? 'signUp' : 'login';
  const problem = providerProblem
    ? providerProblemText(frame, providerProblem)
    : problemText(texts, frame.language, content);
  const note = problem !== undefined && problemNote(problem);
  const isAddressWrong = content.problem === 'invalid_email';
  return page(frame, {
    heading: texts[`${name}.title`],
    body: html`${providerProblem && note}${providers?.last !== undefined && lastProviderPart(frame, providers.last, next)}<p>${texts[`${name}.intro`]}</p>
${!providerProblem && note}
<form method="post" action="${frame.addresses.prefix}/login">
<input type="hidden" name="next" value="${next}">
${content.pageCodeUrl !== undefined && html`<input type="hidden" name="${offersCodeField}" value="yes">`}
<label for="email">${texts['login.email']}</label>
<input type="email" id="email" name="email" value="${content.email}" autocomplete="${content.passkeys?.suggests ? 'email webauthn' : 'email'}" inputmode="email" autocapitalize="none" spellcheck="false" dir="ltr" required${!content.isPreview && providers?.last === undefined && html` autofocus`}${isAddressWrong && html` aria-invalid="true"`}${problem !== undefined && html` aria-describedby="problem"`}>
<button${providers?.last !== undefined && html` class="quiet"`} type="submit">${texts[`${name}.send`]}</button>
</form>
${providers !== undefined && otherProvidersPart(frame, providers, next)}${content.passkeys && passkeyLogin(texts, content.passkeys)}
${content.pageCodeUrl !== undefined && pageCodePart(texts, content.pageCodeUrl)}
${content.joinPath !== undefined && joinPart(texts, content.joinPath)}`,
    scripts: scriptsFor(content),
  });
}

/** A preview is an image of the page: its forms do not work. */
function scriptsFor({ passkeys, isPreview }: LoginPage): PageScript[] {
  if (isPreview) return [];
  return passkeys ? [sendOnceScript, passkeyScript] : [sendOnceScript];
}

function pageCodePart(texts: Texts, url: string): Html {
  return html`<section class="aside">
<p><a class="button quiet" href="${url}">${texts['login.enterCode']}</a></p>
</section>`;
}

function joinPart(texts: Texts, path: string): Html {
  return html`<section class="aside">
<p>${texts['login.newHere']} <a href="${path}">${texts['request.title']}</a></p>
</section>`;
}

function problemText(
  texts: Texts,
  language: string,
  { problem, waitMinutes }: LoginPage,
): string | undefined {
  if (problem === 'invalid_email') return texts['login.invalidEmail'];
  if (problem === 'expired_link') return texts['login.expiredLink'];
  if (problem === 'unsent') return texts['login.unsent'];
  if (problem !== 'too_many') return undefined;
  return waitMinutes === undefined
    ? texts['login.tooManyLater']
    : fill(texts['login.tooMany'], { time: inMinutes(language, waitMinutes) });
}
