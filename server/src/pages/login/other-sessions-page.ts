import type { Session } from '@gatehouse/contract';
import type { Timestamp } from '../../base/clock.ts';
import { type Html, html } from '../../base/text/html.ts';
import { browserText, loginDetails } from '../account/session-details.ts';
import { type PageFrame, page, pageTexts } from '../page.ts';

export interface OtherSessionsPage {
  readonly sessions: readonly Pick<Session, 'id' | 'userAgent' | 'ipAddress' | 'createdAt'>[];
  /** Where to go afterwards. */
  readonly next: string;
  readonly now: Timestamp;
}

/** Says that login links were used in browsers that had not requested them, and lets the visitor end these sessions. */
export function otherSessionsPage(frame: PageFrame, { sessions, next, now }: OtherSessionsPage): string {
  const { texts } = pageTexts(frame);
  const ids = sessions.map(({ id }) => id);
  return page(frame, {
    heading: texts['otherSessions.title'],
    body: html`<p>${texts['otherSessions.intro']}</p>
<ul class="sessions">
${sessions.map(
  ({ id, ...session }) => html`<li>
<p class="browser" id="session-${id}">${browserText(texts, session.userAgent)}</p>
${loginDetails(frame, session, now)}${endForm(frame, id, ids, next)}</li>
`,
)}</ul>
<p><a class="button" href="${next}">${texts['otherSessions.continue']}</a></p>`,
  });
}

/** The form also names the sessions that stay, which are then shown again. */
function endForm(frame: PageFrame, ending: string, ids: readonly string[], next: string): Html {
  const { texts } = pageTexts(frame);
  return html`<form method="post" action="${frame.addresses.prefix}/other-sessions">
<input type="hidden" name="end" value="${ending}">
${ids.filter((id) => id !== ending).map((id) => html`<input type="hidden" name="id" value="${id}">\n`)}<input type="hidden" name="next" value="${next}">
<button class="quiet" type="submit" aria-describedby="session-${ending}">${texts['account.endSession']}</button>
</form>
`;
}
