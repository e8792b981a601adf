import { html } from '../../base/text/html.ts';
import { loginPath } from '../../domain/sites/page-addresses.ts';
import { sendOnceScript } from '../login/send-once-script.ts';
import { emphasized, fillHtml, type PageFrame, page, pageTexts } from '../page.ts';
import {
  type EnteredFields,
  emailField,
  type JoinProblem,
  joinProblemNote,
  requestFields,
} from './fields.ts';

export interface JoinRequestPage {
  /** The path of the site from which the person came, and where to go after a login. */
  readonly next: string;
  /** The member who is logged in, and asks for access. */
  readonly member: { readonly email: string } | null;
  readonly entered: EnteredFields;
  readonly problem: JoinProblem | null;
}

/** The page on which somebody asks to become a member, or a member asks for access. */
export function joinRequestPage(
  frame: PageFrame,
  { next, member, entered, problem }: JoinRequestPage,
): string {
  const { texts, named } = pageTexts(frame);
  const who = member
    ? html`<p>${fillHtml(texts['noAccess.loggedInAs'], { member: emphasized(member.email) })}</p>
<p>${named(texts['request.memberIntro'])}</p>`
    : html`<p>${named(texts['request.intro'])}</p>`;
  return page(frame, {
    heading: texts[member ? 'request.memberTitle' : 'request.title'],
    body: html`${who}
${joinProblemNote(frame, texts, problem)}
<form method="post" action="${frame.addresses.prefix}/join">
<input type="hidden" name="next" value="${next}">
${member ? html`<input type="hidden" name="as" value="member">` : emailField(texts, entered.email, problem)}
${requestFields(frame, entered, problem, member !== null)}
<button type="submit">${texts[member ? 'request.memberButton' : 'request.send']}</button>
</form>
${
  member === null &&
  html`<section class="aside">
<p><a href="${loginPath(frame.addresses, next)}">${texts['request.logIn']}</a></p>
</section>`
}`,
    scripts: [sendOnceScript],
  });
}
