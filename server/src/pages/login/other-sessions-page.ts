import type { Session } from '@gatehouse/contract';
import type { Timestamp } from '../../base/clock.ts';
import { type Html, html } from '../../base/text/html.ts';
import { rowList } from '../account/row-list.ts';
import { browserText, loggedIn } from '../account/session-details.ts';
import { isolated, type PageFrame, page, pageTexts } from '../page.ts';

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
  const rows = sessions.map(({ id, userAgent, ipAddress, createdAt }) => ({
    anchor: `session-${id}`,
    name: browserText(texts, userAgent),
    details: [loggedIn(frame, createdAt, now), ipAddress !== null && isolated(ipAddress)],
    form: endForm(frame, id, ids, next),
  }));
  return page(frame, {
    heading: texts['otherSessions.title'],
    body: html`<p>${texts['otherSessions.intro']}</p>
${rowList(frame, rows)}<p><a class="button" href="${next}">${texts['otherSessions.continue']}</a></p>`,
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
