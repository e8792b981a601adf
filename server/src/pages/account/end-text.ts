import { isTimeZone, lastDayOf } from '@gatehouse/contract/time-zones';
import type { Timestamp } from '../../base/clock.ts';
import { type Html, html } from '../../base/text/html.ts';

/**
 * An end in the language: "31 January 2027", its last day in the time zone of the site, or with its time if it is within
 * a day. The time zone of the visitor is not known. A time in UTC if the time zone is newer than Node.
 */
export function endText(language: string, at: Timestamp, timeZone: string): Html {
  return html`<time datetime="${at}">${plainEndText(language, at, timeZone)}</time>`;
}

/** The same without HTML. */
export function plainEndText(language: string, at: Timestamp, timeZone: string): string {
  return isTimeZone(timeZone) ? textIn(language, at, timeZone) : momentText(language, at, 'UTC');
}

function textIn(language: string, at: Timestamp, timeZone: string): string {
  const day = lastDayOf(at, timeZone);
  return day === undefined ? momentText(language, at, timeZone) : dayText(language, day);
}

/** A day without a time is read as UTC. */
function dayText(language: string, day: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day));
}

function momentText(language: string, at: Timestamp, timeZone: string): string {
  return new Intl.DateTimeFormat(language, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  }).format(new Date(at));
}
