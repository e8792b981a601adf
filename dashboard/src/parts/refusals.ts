import { GatehouseError } from '@gatehouse/client';
import { directionControlsMessage } from '@gatehouse/contract';
import { useTexts } from '../languages/texts.tsx';

/** Says why the service refused something, by its error code; in the service's own words for a code that is newer. */
export function useRefusalText(): (refusal: { code: string; message: string }) => string {
  const t = useTexts('errors');
  return ({ code, message }) => {
    if (isAboutDirection(message)) return t('direction_controls');
    return t.has(code) ? t(code) : message;
  };
}

interface Refused<Field extends string> {
  /** What to say at the fields. */
  errors: Partial<Record<Field, string>>;
  /** The error, where there is more to say than that. */
  note: unknown;
}

/** Reads what the service refused by the fields of a form: by error codes that are about one field, and by paths in the request. */
export function useRefused(): <Field extends string>(
  error: unknown,
  byCode: Readonly<Record<string, Field>>,
  byPath: (path: string) => Field | undefined,
) => Refused<Field> {
  const t = useTexts('errors');
  const refusalText = useRefusalText();
  return <Field extends string>(
    error: unknown,
    byCode: Readonly<Record<string, Field>>,
    byPath: (path: string) => Field | undefined,
  ): Refused<Field> => {
    const errors: Partial<Record<Field, string>> = {};
    if (!(error instanceof GatehouseError)) return { errors, note: error };
    const field = byCode[error.code];
    if (field) return { errors: { ...errors, [field]: refusalText(error) }, note: undefined };
    for (const { path, message } of error.details) {
      const place = byPath(path);
      if (place) errors[place] = t(isAboutDirection(message) ? 'direction_controls' : 'field');
    }
    return { errors, note: error };
  };
}

/** Whether a name was refused for characters that nobody sees. It has no error code of its own. */
function isAboutDirection(message: string): boolean {
  return message.includes(directionControlsMessage);
}
