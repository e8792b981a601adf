import type { MemberPasskey } from '@gatehouse/contract';
import type { Timestamp } from '../../base/clock.ts';
import { type Html, html } from '../../base/text/html.ts';
import { memberPages } from '../../domain/sites/page-addresses.ts';
import { type Row, rowList } from '../account/row-list.ts';
import { lastUsed } from '../account/session-details.ts';
import { timeAgo } from '../account/time-ago.ts';
import { fillHtml, isolated, type PageFrame, pageTexts } from '../page.ts';
import { addPasskeyForm } from './add-form.ts';

/** What the account page knows of the passkeys of a member. */
export interface AccountPasskeys {
  readonly list: readonly MemberPasskey[];
  /** Whether one can be added now. */
  readonly adding: 'possible' | 'login_not_recent' | 'not_allowed' | 'too_many';
  /** The name of the system, as the name of a new passkey. */
  readonly suggestedName: string;
  /** Whether the member has just logged in by email in a new browser, and may want to remove all older passkeys. */
  readonly offersRemoval: boolean;
}

const prefix = `${memberPages.prefix}/passkeys`;
const accountPath = `${memberPages.prefix}/account`;

/** Shown if the site allows passkeys, or if the member has any. */
export function passkeySection(
  frame: PageFrame,
  keyField: Html,
  passkeys: AccountPasskeys,
  now: Timestamp,
): Html | false {
  const { texts } = pageTexts(frame);
  const { list, adding, offersRemoval } = passkeys;
  if (adding === 'not_allowed' && list.length === 0) return false;
  const isAllowed = adding !== 'not_allowed';
  // Then the whole section says it.
  const shown = list.map((passkey) => ({ ...passkey, disabled: passkey.disabled && isAllowed }));
  const rows = shown.map((each, index) => passkeyRow(frame, keyField, each, `passkey-${index + 1}`, now));
  return html`<section>
<h2>${texts['passkeys.title']}</h2>
<p>${texts[isAllowed ? 'passkeys.help' : 'passkeys.notAllowed']}</p>
${offersRemoval && removalForm(frame, keyField)}${rowList(frame, rows)}${adding === 'possible' && addingPart(frame, keyField, passkeys)}${adding === 'too_many' && html`<p>${texts['passkeys.tooMany']}</p>\n`}${adding === 'login_not_recent' && loginPart(frame)}</section>
`;
}

function addingPart(frame: PageFrame, keyField: Html, { suggestedName: name }: AccountPasskeys): Html {
  const { texts } = pageTexts(frame);
  const next = `${accountPath}?saved=passkey`;
  return html`${addPasskeyForm(texts, { keyField, name, hasNameField: true, next })}<p class="unless-passkeys">${texts['passkeys.unsupported']}</p>
`;
}

function loginPart(frame: PageFrame): Html {
  const { texts } = pageTexts(frame);
  return html`<p>${texts['passkeys.logInFirst']}</p>
<p><a class="button quiet" href="${`${frame.addresses.prefix}/login?next=${accountPath}`}">${texts['passkeys.logInAgain']}</a></p>
`;
}

function passkeyRow(
  frame: PageFrame,
  keyField: Html,
  { id, name, createdAt, lastUsedAt, synced, disabled }: MemberPasskey,
  anchor: string,
  now: Timestamp,
): Row {
  const { texts } = pageTexts(frame);
  const { language } = frame;
  return {
    anchor,
    name: isolated(name),
    details: [
      disabled && texts['passkeys.disabled'],
      fillHtml(texts['passkeys.added'], { time: timeAgo(language, createdAt, now) }),
      lastUsed(texts, language, lastUsedAt, now),
      texts[synced ? 'passkeys.synced' : 'passkeys.notSynced'],
    ],
    form: html`<form method="post" action="${prefix}/delete">
${keyField}<input type="hidden" name="id" value="${id}">
<button class="quiet" type="submit" aria-describedby="${anchor}">${texts['passkeys.remove']}</button>
</form>
`,
  };
}

function removalForm(frame: PageFrame, keyField: Html): Html {
  const { texts } = pageTexts(frame);
  return html`<p>${texts['passkeys.recovery']}</p>
<form method="post" action="${prefix}/delete-all">
${keyField}<button class="quiet" type="submit">${texts['passkeys.removeAll']}</button>
</form>
`;
}
