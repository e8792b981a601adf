import { type Html, html } from '../../base/text/html.ts';
import { sendOnceScript } from '../login/send-once-script.ts';
import { emphasized, fillHtml, isolated, type PageFrame, page, pageTexts } from '../page.ts';
import {
  type EnteredFields,
  emailField,
  type JoinProblem,
  joinProblemNote,
  requestFields,
} from './fields.ts';

export interface JoinPage {
  /** The address of the page itself. */
  readonly action: string;
  /** Where to go after the login. */
  readonly next: string;
  /** The names of the groups that those who join are added to. */
  readonly groups: readonly string[];
  /** The domains of the email addresses for which the invitation works; none if it works for all. */
  readonly domains: readonly string[];
  readonly needsApproval: boolean;
  /** The member who is logged in. */
  readonly member: { readonly email: string } | null;
  readonly entered: EnteredFields;
  readonly problem: JoinProblem | null;
}

/** The page of an invitation. Opening it changes nothing: programs that show previews of links open it too. */
export function joinPage(frame: PageFrame, content: JoinPage): string {
  const { texts } = pageTexts(frame);
  const { action, next, member, problem } = content;
  return page(frame, {
    heading: texts['join.title'],
    body: html`${explanation(frame, content)}
${joinProblemNote(frame, texts, problem)}
<form method="post" action="${action}">
<input type="hidden" name="next" value="${next}">
${member ? memberPart(frame, content) : anyonePart(frame, content)}
</form>`,
    scripts: [sendOnceScript],
  });
}

function explanation(frame: PageFrame, { groups, domains, needsApproval, member }: JoinPage): Html {
  const { texts, named } = pageTexts(frame);
  return html`<p>${named(texts['join.intro'])}</p>
${groups.length > 0 && html`<p>${fillHtml(texts['join.groups'], { groups: listOf(groups) })}</p>\n`}${
  domains.length > 0 && html`<p>${fillHtml(texts['join.domains'], { domains: listOf(domains) })}</p>\n`
}${needsApproval && html`<p>${named(texts['join.approval'])}</p>\n`}${
  member
    ? html`<p>${fillHtml(texts['noAccess.loggedInAs'], { member: emphasized(member.email) })}</p>`
    : html`<p>${texts['join.byEmail']}</p>`
}`;
}

function anyonePart(frame: PageFrame, { needsApproval, entered, problem }: JoinPage): Html {
  const { texts } = pageTexts(frame);
  return html`${emailField(texts, entered.email, problem)}
${needsApproval && html`${requestFields(frame, entered, problem)}\n`}<button type="submit">${texts['join.send']}</button>`;
}

function memberPart(frame: PageFrame, { needsApproval, entered, problem }: JoinPage): Html {
  const { texts } = pageTexts(frame);
  return html`<input type="hidden" name="as" value="member">
${needsApproval && html`${requestFields(frame, entered, problem, true)}\n`}<button type="submit">${texts[needsApproval ? 'request.button' : 'join.button']}</button>`;
}

function listOf(names: readonly string[]): Html {
  return html`${names.map((name, index) => html`${index > 0 && ', '}${isolated(name)}`)}`;
}
