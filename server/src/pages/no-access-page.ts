import type { AccessReason } from '@gatehouse/contract';
import { type Html, html } from '../base/text/html.ts';
import type { WaysIn } from '../domain/access-rules/way-in.ts';
import { loginPath } from '../domain/sites/page-addresses.ts';
import type { TextName } from '../i18n/languages.ts';
import { emphasized, fillHtml, type PageFrame, page, pageTexts } from './page.ts';

export interface NoAccessPage extends Partial<WaysIn> {
  readonly reason: AccessReason;
  /** The member who is logged in. */
  readonly member: { readonly email: string; readonly displayName: string | null } | null;
  /** The path of the site that the visitor requested. */
  readonly next: string;
}

/** Says why access is denied and what to do about it. It names no group: only members see the names of theirs. */
export function noAccessPage(frame: PageFrame, content: NoAccessPage): string {
  const { reason, member, next } = content;
  const { texts, named } = pageTexts(frame);
  // A visitor who is not logged in gets this reason only where a login would not help.
  const isElsewhere = reason === 'condition_not_met' && member === null;
  const isPersonal = reason !== 'ambiguous_path' && reason !== 'site_suspended' && !isElsewhere;
  return page(frame, {
    heading: texts['noAccess.title'],
    body: html`<p>${named(texts[isElsewhere ? 'noAccess.notHere' : (explanations[reason] ?? 'noAccess.anonymous')])}</p>
${member !== null && html`<p>${fillHtml(texts['noAccess.loggedInAs'], { member: memberName(member) })}</p>`}
${member !== null && isPersonal && html`<p>${fillHtml(texts['noAccess.contact'], { team: team(frame) })}</p>`}
${waysToGetAccess(frame, content)}
${reason === 'ambiguous_path' && html`<p><a class="button" href="${frame.addresses.front}">${texts['message.frontPage']}</a></p>`}
${member === null && isPersonal && html`<p><a class="button" href="${loginPath(frame.addresses, next)}">${texts['noAccess.logIn']}</a></p>`}
${
  member !== null &&
  isPersonal &&
  html`<form method="post" action="${frame.addresses.prefix}/logout">
<input type="hidden" name="next" value="${next}">
<button class="quiet" type="submit">${texts['noAccess.otherAddress']}</button>
</form>`
}`,
  });
}

/** The team of the site, with the link to reach it if there is one. */
function team(frame: PageFrame): Html {
  const { texts, named } = pageTexts(frame);
  const { contact } = frame.site.links;
  const name = named(texts['noAccess.team']);
  return contact === null ? name : html`<a href="${contact}" rel="noreferrer">${name}</a>`;
}

/** What gives access to this page: a code, what the site sells, and a request. The first one stands out. */
function waysToGetAccess(frame: PageFrame, content: NoAccessPage): Html | false {
  const { texts } = pageTexts(frame);
  const { reason, pageCodeUrl = null, accessRequestUrl = null } = content;
  const isForSale = reason === 'not_paying' || reason === 'not_in_groups';
  const ways = [
    { url: pageCodeUrl, text: texts['noAccess.enterCode'] },
    { url: isForSale ? frame.site.links.upgrade : null, text: texts['noAccess.upgrade'] },
    { url: accessRequestUrl, text: texts['request.memberTitle'] },
  ].filter(({ url }) => url !== null);
  if (ways.length === 0) return false;
  return html`<p class="ways">
${ways.map(({ url, text }, index) => html`<a class="button${index > 0 && ' quiet'}" href="${url}" rel="noreferrer">${text}</a>\n`)}</p>`;
}

const explanations: Partial<Record<AccessReason, TextName>> = {
  blocked: 'noAccess.blocked',
  not_paying: 'noAccess.notPaying',
  not_in_groups: 'noAccess.notInGroups',
  condition_not_met: 'noAccess.notInGroups',
  ambiguous_path: 'noAccess.ambiguousPath',
  site_suspended: 'noAccess.siteSuspended',
};

function memberName({ email, displayName }: { email: string; displayName: string | null }): Html {
  return displayName === null ? emphasized(email) : html`${emphasized(displayName)} (<bdi>${email}</bdi>)`;
}
