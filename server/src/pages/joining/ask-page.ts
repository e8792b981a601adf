import { html } from '../../base/text/html.ts';
import { loginPath } from '../../domain/sites/page-addresses.ts';
import { sendOnceScript } from '../login/send-once-script.ts';
import { emphasized, fillHtml, type PageFrame, page, pageTexts } from '../page.ts';
import { askingFields, type EnteredFields, emailField, type JoinProblem, joinProblemNote } from './fields.ts';

export interface AskPage {
  /** The path of the site from which the person came, and where to go after a login. */
  readonly next: string;
  /** The member who is logged in, and asks for access. */
  readonly member: { readonly email: string } | null;
  readonly entered: EnteredFields;
  readonly problem: JoinProblem | null;
}

/** The page on which somebody asks to become a member, or a member asks for access. */
export function askPage(frame: PageFrame, { next, member, entered, problem }: AskPage): string {
  const { texts, named } = pageTexts(frame);
  const who = member
    ? html`<p>${fillHtml(texts['noAccess.loggedInAs'], { member: emphasized(member.email) })}</p>
<p>${named(texts['ask.memberIntro'])}</p>`
    : html`<p>${named(texts['ask.intro'])}</p>`;
  return page(frame, {
    heading: texts[member ? 'ask.memberTitle' : 'ask.title'],
    body: html`${who}
${joinProblemNote(frame, texts, problem)}
<form method="post" action="${frame.addresses.prefix}/join">
<input type="hidden" name="next" value="${next}">
${member ? html`<input type="hidden" name="as" value="member">` : emailField(texts, entered.email, problem)}
${askingFields(frame, entered, problem, member !== null)}
<button type="submit">${texts[member ? 'ask.memberButton' : 'ask.send']}</button>
</form>
${
  member === null &&
  html`<section class="aside">
<p><a href="${loginPath(frame.addresses, next)}">${texts['ask.logIn']}</a></p>
</section>`
}`,
    scripts: [sendOnceScript],
  });
}
