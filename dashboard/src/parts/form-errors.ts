import { GatehouseError } from '@gatehouse/client';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { loadTexts } from '../languages/texts.tsx';
import { errorText, isAboutDirection } from './refusals.ts';

/** An error reply to a form. */
export interface FormFailure {
  error: unknown;
  /** Whether everything that it says stands at fields. */
  isAtFields: boolean;
}

/** The field that an error code is about, in every form that has it. */
const fieldOfCode: Readonly<Record<string, string>> = {
  access_group_name_taken: 'name',
  email_taken: 'email',
  invalid_display_name: 'displayName',
  invalid_email: 'email',
  operator_exists: 'email',
  site_domain_taken: 'domain',
  site_slug_taken: 'slug',
};

/** What an error reply says of the fields of a form. */
interface FieldErrors {
  /** A sentence for each field. */
  readonly errors: Readonly<Record<string, string>>;
  readonly isAtFields: boolean;
}

/**
 * Reads an error reply by the fields of a form: by error codes that are about one field, and by the places in the
 * request that it names. `fieldOf` gives the field of a place such as `/domain`, undefined for one that the form lacks.
 */
export async function readFieldErrors(
  error: unknown,
  fieldOf: (pointer: string) => string | undefined,
): Promise<FieldErrors> {
  if (!isAboutFields(error, fieldOf)) return { errors: {}, isAtFields: false };
  // Fetched only now: a form that waited for them would leave the page for a moment.
  const t = await loadTexts('errors');
  const field = fieldByCode(error, fieldOf);
  if (field) return { errors: { [field]: errorText(t, error) }, isAtFields: true };
  const errors: Record<string, string> = {};
  for (const { path, message } of error.details) {
    const field = fieldOf(path);
    const text = isAboutDirection(message) ? 'direction_controls' : `field.${toName(path)}`;
    if (field) errors[field] ??= t(t.has(text) ? text : 'field');
  }
  return { errors, isAtFields: error.details.every(({ path }) => fieldOf(path) !== undefined) };
}

/** Whether an error reply is about a field of a form. */
export function isAboutFields(
  error: unknown,
  fieldOf: (pointer: string) => string | undefined,
): error is GatehouseError {
  if (!(error instanceof GatehouseError)) return false;
  if (fieldByCode(error, fieldOf) !== undefined) return true;
  return error.details.some(({ path }) => fieldOf(path) !== undefined);
}

function fieldByCode(
  { code }: GatehouseError,
  fieldOf: (pointer: string) => string | undefined,
): string | undefined {
  const name = fieldOfCode[code];
  return name && fieldOf(`/${name}`);
}

/**
 * Why a form was refused: a sentence at each field that it is about, gone when that field is corrected, and `failure`
 * for what is told at the foot of the form. `show` is for the error of a request, `clear` for the next try.
 */
export function useFormErrors<Values extends object>(
  form: UseFormReturnType<Values>,
  fieldOf = (pointer: string): string | undefined => {
    const [name = ''] = pointer.slice(1).split('/');
    return Object.hasOwn(form.getValues(), name) ? name : undefined;
  },
) {
  const [shown, setShown] = useState<(FormFailure & { fields: string[] }) | null>(null);

  async function show(error: unknown): Promise<void> {
    const { errors, isAtFields } = await readFieldErrors(error, fieldOf);
    const fields = Object.keys(errors);
    form.setErrors(errors);
    setShown({ error, isAtFields, fields });
    // The field may be closed until the answer is there.
    if (fields[0]) setTimeout(() => form.getInputNode(fields[0]!)?.focus());
  }

  const isCorrected = shown?.isAtFields && shown.fields.every((field) => !form.errors[field]);
  const failure: FormFailure | null = isCorrected ? null : shown;
  return { show, clear: () => setShown(null), failure };
}

/** A place in a request without the numbers of rows: `/signUp/domains/2/domain` is `signUp.domains.domain`. */
function toName(pointer: string): string {
  return pointer
    .slice(1)
    .split('/')
    .filter((part) => !/^\d+$/.test(part))
    .join('.');
}
