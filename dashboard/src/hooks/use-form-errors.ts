import { GatehouseError } from '@gatehouse/client';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { errorText, reasonIn } from '../format/error-text.ts';
import { awaitTexts } from '../languages/texts.tsx';

/** The error response to a form. */
export interface FormFailure {
  error: unknown;
  /** Whether all its messages are shown at fields. */
  isAtFields: boolean;
}

/** The field that an error code concerns, in every form that has it. */
const fieldOfCode: Readonly<Record<string, string>> = {
  access_group_name_taken: 'name',
  email_taken: 'email',
  invalid_display_name: 'displayName',
  invalid_email: 'email',
  login_provider_issuer_taken: 'issuer',
  operator_exists: 'email',
  page_code_taken: 'code',
  signing_key_missing: 'identityHeaders/signed',
  site_domain_taken: 'domain',
  site_slug_taken: 'slug',
  source_name_taken: 'name',
};

/** The messages of an error response for the fields of a form. */
interface FieldErrors {
  /** A message for each field. */
  readonly errors: Readonly<Record<string, string>>;
  readonly isAtFields: boolean;
}

/**
 * Assigns an error response to the fields of a form: by error codes that concern one field, and by the JSON pointers in
 * its details. `fieldOf` returns the field for a pointer such as `/domain`, or undefined if the form has none.
 */
export async function readFieldErrors(
  error: unknown,
  fieldOf: (pointer: string) => string | undefined,
): Promise<FieldErrors> {
  if (!isAboutFields(error, fieldOf)) return { errors: {}, isAtFields: false };
  // Loaded only now, because a form that suspended for them would briefly disappear.
  const t = await awaitTexts('errors');
  const field = fieldByCode(error, fieldOf);
  if (field) return { errors: { [field]: errorText(t, error) }, isAtFields: true };
  const errors: Record<string, string> = {};
  for (const { path, message } of error.details) {
    const field = fieldOf(path);
    const text = reasonIn(message) ?? `field.${toName(path)}`;
    if (field) errors[field] ??= t(t.has(text) ? text : 'field');
  }
  return { errors, isAtFields: error.details.every(({ path }) => fieldOf(path) !== undefined) };
}

/** Whether an error response concerns a field of a form. */
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
 * The errors of a form: a message at each field that is removed once the field is changed, and `failure` for the end
 * of the form. Call `show` with the error of a request, and `clear` before the next attempt.
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
    // The field may be disabled until the response arrives.
    if (fields[0]) setTimeout(() => form.getInputNode(fields[0]!)?.focus());
  }

  const isCorrected = shown?.isAtFields && shown.fields.every((field) => !form.errors[field]);
  const failure: FormFailure | null = isCorrected ? null : shown;
  return { show, clear: () => setShown(null), failure };
}

/** A JSON pointer without array indexes: `/signUp/domains/2/domain` becomes `signUp.domains.domain`. */
function toName(pointer: string): string {
  return pointer
    .slice(1)
    .split('/')
    .filter((part) => !/^\d+$/.test(part))
    .join('.');
}
