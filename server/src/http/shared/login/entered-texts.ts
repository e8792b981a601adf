import { normalizeDisplayName } from '@gatehouse/contract/names';
import { readMessage } from '../../../domain/join-requests/join-request.ts';
import type { EnteredTexts } from '../../../domain/logins/arrivals.ts';
import type { EnteredFields, JoinProblem } from '../../../pages/pages.ts';
import { type Fields, one } from '../requests/page-request.ts';

/** More than a form accepts, so that what is shown again can be corrected. */
const maxShownLength = 2_000;

/** Texts that cannot be stored. */
export interface WrongTexts {
  readonly problem: Extract<JoinProblem['kind'], 'invalid_name' | 'message_too_long'>;
  readonly entered: Pick<EnteredFields, 'displayName' | 'message'>;
}

/** The name and the message of somebody who asks to join; null if a form has neither field. */
export function enteredTexts(fields: Fields | undefined): EnteredTexts | WrongTexts | null {
  const [name, text] = [one(fields?.displayName), one(fields?.message)];
  if (name === undefined && text === undefined) return null;
  const displayName = normalizeDisplayName(name ?? null);
  const message = readMessage(text ?? '');
  if (displayName !== undefined && message !== undefined) return { displayName, message };
  const problem = displayName === undefined ? 'invalid_name' : 'message_too_long';
  const entered = {
    displayName: (name ?? '').slice(0, maxShownLength),
    message: (text ?? '').slice(0, maxShownLength),
  };
  return { problem, entered };
}

/** Texts as a form shows them. */
export function toEntered({
  displayName,
  message,
}: EnteredTexts): Pick<EnteredFields, 'displayName' | 'message'> {
  return { displayName: displayName ?? '', message: message ?? '' };
}
