import { hash } from 'node:crypto';
import { type Timestamp, timestampAfter, timestampBefore } from '../../base/clock.ts';
import { SecretBox } from '../../base/encryption/secret-box.ts';
import type { SiteView } from '../../storage/site-view.ts';
import { expiryOf } from '../../storage/sql/expiring-rows.ts';
import type { Change } from '../events/change.ts';
import { saveResponse, selectResponse } from './form-response-store.ts';
import { isToken } from './token.ts';

/** For this long a form that is sent again gets the same response: a second press, or a connection that broke. */
const repeatMilliseconds = 10_000;

/** A form that works once, as one browser sent it. Only that browser can make it up again. */
export interface SentForm {
  readonly hash: string;
  /** A secret that only the browser and this request have. It encrypts the response, and is not stored. */
  readonly key: string;
}

/**
 * Identifies a form by the cookie that the browser got with its page, and by what it contains. Null without the cookie.
 */
export function sentFormOf(
  formToken: string | null | undefined,
  content: readonly string[],
): SentForm | null {
  if (!isToken(formToken)) return null;
  const derive = (purpose: string) =>
    hash('sha256', JSON.stringify([purpose, formToken, ...content]), 'base64url');
  return { hash: derive('the hash of a form'), key: derive('the key of the response to a form') };
}

/** Stores what a browser gets for a form. It ends with the session that began with it; null if none did. */
export async function saveFormResponse<Value>(
  change: Change,
  form: SentForm | null,
  sessionId: string | null,
  response: Value,
): Promise<void> {
  if (form === null) return;
  const sealed = new SecretBox([form.key]).seal(JSON.stringify(response), locationOf(change.siteId, form));
  await saveResponse(change, { formHash: form.hash, sessionId, response: sealed });
}

/**
 * The response to a form that the same browser sent a moment ago; undefined if it was not sent, or its session has ended.
 */
export async function findFormResponse<Value>(
  view: SiteView,
  form: SentForm | null,
): Promise<Value | undefined> {
  const { siteId, now } = view;
  if (form === null) return undefined;
  const sealed = await selectResponse(view, form.hash, { ...momentsAround(now), now });
  if (sealed === undefined) return undefined;
  return JSON.parse(new SecretBox([form.key]).open(sealed, locationOf(siteId, form))) as Value;
}

/** Whether a form that was sent at a time is sent again now. */
export function isRecentForm(sentAt: Timestamp, now: Timestamp): boolean {
  const { from, to } = momentsAround(now);
  return from <= sentAt && sentAt <= to;
}

/** The clock of another process may be a little ahead. */
function momentsAround(now: Timestamp): { readonly from: Timestamp; readonly to: Timestamp } {
  return { from: timestampBefore(now, repeatMilliseconds), to: timestampAfter(now, repeatMilliseconds) };
}

/** Responses that are no longer given. */
export const { find: findOldFormResponses, purge: purgeFormResponses } = expiryOf({
  table: 'form_responses',
  time: 'created_at',
  key: 'form_hash',
  retentionMilliseconds: repeatMilliseconds,
});

function locationOf(siteId: string, { hash }: SentForm): string {
  return `${siteId}/${hash}`;
}
