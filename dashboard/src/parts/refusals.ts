import { useTexts } from '../languages/texts.tsx';

/** Says why the service refused something, by its error code; in the service's own words for a code that is newer. */
export function useRefusalText(): (refusal: { code: string; message: string }) => string {
  const t = useTexts('errors');
  return ({ code, message }) => (t.has(code) ? t(code) : message);
}
