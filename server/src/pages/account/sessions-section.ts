import type { Session } from '@gatehouse/contract';
import type { Timestamp } from '../../base/clock.ts';
import { type Html, html } from '../../base/text/html.ts';
import { isolated, type PageFrame, pageTexts } from '../page.ts';
import { type Row, rowList } from './row-list.ts';
import { browserText, lastUsed, loggedIn } from './session-details.ts';
import { isRecent, timeAgo } from './time-ago.ts';

/** A browser in which the member is logged in. */
export type AccountSession = Pick<Session, 'id' | 'userAgent' | 'ipAddress' | 'lastSeenAt' | 'createdAt'> & {
  /** Whether the page is shown in this session. */
  readonly current: boolean;
};

/** The browsers, this one first, and the buttons that end their sessions. */
export function sessionsSection(
  frame: PageFrame,
  keyField: Html,
  sessions: readonly AccountSession[],
  now: Timestamp,
): Html {
  const { texts } = pageTexts(frame);
  const ordered = [
    ...sessions.filter(({ current }) => current),
    ...sessions.filter(({ current }) => !current),
  ];
  const rows = ordered.map((session, index) =>
    sessionRow(frame, keyField, session, { anchor: `session-${index + 1}`, now }),
  );
  return html`<section>
<h2>${texts['account.sessions']}</h2>
${rowList(frame, rows)}<form method="post" action="${frame.addresses.prefix}/logout-everywhere">
${keyField}<button class="quiet" type="submit">${texts['account.logOutEverywhere']}</button>
</form>
</section>
`;
}

function sessionRow(
  frame: PageFrame,
  keyField: Html,
  session: AccountSession,
  { anchor, now }: { readonly anchor: string; readonly now: Timestamp },
): Row {
  const { texts } = pageTexts(frame);
  const { id, userAgent, ipAddress, lastSeenAt, createdAt, current } = session;
  return {
    anchor,
    name: html`${browserText(texts, userAgent)}${current && html` <span class="badge">${texts['account.thisBrowser']}</span>`}`,
    details: [
      current ? loggedIn(frame, createdAt, now) : lastSeen(frame, lastSeenAt, now),
      ipAddress !== null && isolated(ipAddress),
    ],
    form: !current && endForm(frame, keyField, id, anchor),
  };
}

/** Short, as it stands beside the name of a browser. */
function lastSeen(frame: PageFrame, at: Timestamp, now: Timestamp): Html {
  const { texts } = pageTexts(frame);
  const { language } = frame;
  return isRecent(at, now) ? lastUsed(texts, language, at, now) : timeAgo(language, at, now);
}

function endForm(frame: PageFrame, keyField: Html, sessionId: string, anchor: string): Html {
  const { texts } = pageTexts(frame);
  return html`<form method="post" action="${frame.addresses.prefix}/account/sessions/end">
${keyField}<input type="hidden" name="id" value="${sessionId}">
<button class="quiet" type="submit" aria-describedby="${anchor}">${texts['account.endSession']}</button>
</form>
`;
}
