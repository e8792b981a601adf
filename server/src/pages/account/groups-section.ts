import { endsSoonDays } from '@gatehouse/contract/limits';
import { millisecondsPerDay, type Timestamp } from '../../base/clock.ts';
import { type Html, html } from '../../base/text/html.ts';
import { fillHtml, isolated, type PageFrame, pageTexts } from '../page.ts';
import { endText } from './end-text.ts';
import { foldedList } from './row-list.ts';
import { timeUntil } from './time-ago.ts';

/** A group of the member. */
export interface AccountGroup {
  readonly name: string;
  /** When the membership ends; null for never. */
  readonly expiresAt: Timestamp | null;
}

interface ShownGroups {
  readonly groups: readonly AccountGroup[];
  readonly timeZone: string;
  readonly now: Timestamp;
}

/** The groups of the member, with their ends, those that end soon first and marked; nothing without groups. */
export function groupsSection(frame: PageFrame, { groups, timeZone, now }: ShownGroups): Html | false {
  if (groups.length === 0) return false;
  const { texts } = pageTexts(frame);
  const soon = groups
    .filter((group) => endsSoon(group, now))
    .sort((a, b) => compare(a.expiresAt!, b.expiresAt!));
  const others = groups.filter((group) => !endsSoon(group, now));
  const items = [...soon, ...others].map(
    (group) => html`<li>
<p class="name">${isolated(group.name)}</p>
${group.expiresAt !== null && end(frame, group.expiresAt, timeZone, endsSoon(group, now) ? now : undefined)}</li>
`,
  );
  return html`<section>
<h2>${texts['account.groups']}</h2>
${foldedList(frame, items)}</section>
`;
}

/** @param now for an end that is soon */
function end(frame: PageFrame, at: Timestamp, timeZone: string, now: Timestamp | undefined): Html {
  const { texts } = pageTexts(frame);
  const { language } = frame;
  const time = endText(language, at, timeZone);
  return html`<p class="details">${fillHtml(texts['account.groupEnd'], { time })}${now !== undefined && html` <span class="badge soon">${timeUntil(language, at, now)}</span>`}</p>
`;
}

function endsSoon({ expiresAt }: AccountGroup, now: Timestamp): boolean {
  return expiresAt !== null && Date.parse(expiresAt) - Date.parse(now) <= endsSoonDays * millisecondsPerDay;
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
