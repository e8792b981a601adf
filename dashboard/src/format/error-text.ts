import { directionControlsMessage } from '@gatehouse/contract/names';
import { notHttpsMessage, notPublicMessage } from '@gatehouse/contract/url-problems';
import { type Texts, useTexts } from '../languages/texts.tsx';

/** Returns the text for an error code. For a code that this version does not know, it is the server's message. */
export function useErrorText(): (apiError: { code: string; message: string }) => string {
  const t = useTexts('errors');
  return (apiError) => errorText(t, apiError);
}

/** Like the hook, for texts that are already loaded. */
export function errorText(t: Texts<'errors'>, { code, message }: { code: string; message: string }): string {
  const reason = reasonIn(message);
  if (reason) return t(reason);
  return t.has(code) ? t(code) : message;
}

/** The reasons that have no error code of their own, by a part of the message. */
const reasons = [
  [directionControlsMessage, 'direction_controls'],
  [notHttpsMessage, 'url_not_https'],
  [notPublicMessage, 'url_not_public'],
] as const;

/** The text for a name with invisible characters, or a URL that may not be requested; undefined for other messages. */
export function reasonIn(message: string): (typeof reasons)[number][1] | undefined {
  return reasons.find(([part]) => message.includes(part))?.[1];
}
