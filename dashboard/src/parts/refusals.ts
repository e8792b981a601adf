import { directionControlsMessage } from '@gatehouse/contract/names';
import { type Texts, useTexts } from '../languages/texts.tsx';

/** Says why the service refused something, by its error code; in the service's own words for a code that is newer. */
export function useRefusalText(): (refusal: { code: string; message: string }) => string {
  const t = useTexts('errors');
  return (refusal) => errorText(t, refusal);
}

/** As the hook, where the texts are there already. */
export function errorText(t: Texts<'errors'>, { code, message }: { code: string; message: string }): string {
  if (isAboutDirection(message)) return t('direction_controls');
  return t.has(code) ? t(code) : message;
}

/** Whether a name was refused for characters that nobody sees. It has no error code of its own. */
export function isAboutDirection(message: string): boolean {
  return message.includes(directionControlsMessage);
}
