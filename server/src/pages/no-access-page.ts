import type { AccessReason } from '@gatehouse/contract';
import { type Html, html } from '../base/html.ts';
import type { TextName } from '../languages/languages.ts';
import { emphasized, fillHtml, loginAddress, type PageFrame, page, pageTexts } from './page.ts';

export interface NoAccessPage {
  readonly reason: AccessReason;
  /** Who is logged in. */
  readonly member: { readonly email: string; readonly displayName: string | null } | null;
  /** Where the visitor was going: a path of the site. */
  readonly next: string;
}

/** Says why a page is shut and what to do about it. It names no group: which there are is not for everybody. */
export function noAccessPage(frame: PageFrame, { reason, member, next }: NoAccessPage): string {
  const { texts, named } = pageTexts(frame);
  const isPersonal = reason !== 'ambiguous_path' && reason !== 'site_suspended';
  return page(frame, {
    heading: texts['noAccess.title'],
    body: html`<p>${named(texts[explanations[reason] ?? 'noAccess.stranger'])}</p>
${member !== null && html`<p>${fillHtml(texts['noAccess.loggedInAs'], { member: memberName(member) })}</p>`}
${member !== null && isPersonal && html`<p>${named(texts['noAccess.contact'])}</p>`}
${reason === 'ambiguous_path' && html`<p><a class="button" href="${frame.realm.front}">${texts['message.frontPage']}</a></p>`}
${member === null && isPersonal && html`<p><a class="button" href="${loginAddress(frame, next)}">${texts['noAccess.logIn']}</a></p>`}
${
  member !== null &&
  isPersonal &&
  html`<form method="post" action="${frame.realm.prefix}/sign-out">
<input type="hidden" name="next" value="${next}">
<button class="quiet" type="submit">${texts['noAccess.otherAddress']}</button>
</form>`
}`,
  });
}

const explanations: Partial<Record<AccessReason, TextName>> = {
  blocked: 'noAccess.blocked',
  not_paying: 'noAccess.notPaying',
  not_in_groups: 'noAccess.notInGroups',
  ambiguous_path: 'noAccess.ambiguousPath',
  site_suspended: 'noAccess.siteSuspended',
};

function memberName({ email, displayName }: { email: string; displayName: string | null }): Html {
  return displayName === null ? emphasized(email) : html`${emphasized(displayName)} (<bdi>${email}</bdi>)`;
}
