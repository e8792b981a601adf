import { directionControlsMessage } from '@gatehouse/contract/names';
import { type Texts, useTexts } from '../languages/texts.tsx';

/** Returns the text for an error code. For a code that this version does not know, it is the server's message. */
export function useErrorText(): (apiError: { code: string; message: string }) => string {
  const t = useTexts('errors');
  return (apiError) => errorText(t, apiError);
}

/** Like the hook, for texts that are already loaded. */
export function errorText(t: Texts<'errors'>, { code, message }: { code: string; message: string }): string {
  if (isAboutDirection(message)) return t('direction_controls');
  return t.has(code) ? t(code) : message;
}

/** Whether a name was rejected for invisible characters. This error has no code of its own. */
export function isAboutDirection(message: string): boolean {
  return message.includes(directionControlsMessage);
}
