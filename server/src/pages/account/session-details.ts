import { browserNames } from '@gatehouse/contract/browser-names';
import type { Timestamp } from '../../base/clock.ts';
import { type Html, html } from '../../base/text/html.ts';
import type { Texts } from '../../i18n/languages.ts';
import { fillHtml, isolated, type PageFrame, pageTexts } from '../page.ts';
import { isRecent, timeAgo } from './time-ago.ts';

/** "Firefox on Windows". */
export function browserText(texts: Texts, userAgent: string | null): Html {
  const { browser, system } = browserNames(userAgent);
  const name = browser ?? texts['account.unknownBrowser'];
  return system === undefined
    ? html`${name}`
    : fillHtml(texts['account.browserOnSystem'], { browser: isolated(name), system: isolated(system) });
}

/** "Logged in 3 days ago". */
export function loggedIn(frame: PageFrame, createdAt: Timestamp, now: Timestamp): Html {
  const { texts } = pageTexts(frame);
  return fillHtml(texts['account.loggedIn'], { time: timeAgo(frame.language, createdAt, now) });
}

/** @param at null if it was never used */
export function lastUsed(texts: Texts, language: string, at: Timestamp | null, now: Timestamp): Html {
  if (at === null) return html`${texts['account.neverUsed']}`;
  return isRecent(at, now)
    ? html`<time datetime="${at}">${texts['account.usedRecently']}</time>`
    : fillHtml(texts['account.lastUsed'], { time: timeAgo(language, at, now) });
}
