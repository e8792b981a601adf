import { GatehouseError } from '@gatehouse/client';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { useTexts } from '../languages/texts.tsx';
import { isAboutDirection, useRefusalText } from './refusals.ts';

/** An error reply to a form. */
export interface FormFailure {
  error: unknown;
  /** Whether everything that it says stands at fields. */
  isAtFields: boolean;
}

interface FieldErrors {
  /** A sentence for each field. */
  errors: Record<string, string>;
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

/**
 * Reads an error reply by the fields of a form: by error codes that are about one field, and by the places in the
 * request that it names. `fieldOf` gives the field of a place such as `/domain`, undefined for one that the form lacks.
 */
export function useFieldErrors(): (
  error: unknown,
  fieldOf: (pointer: string) => string | undefined,
) => FieldErrors {
  const t = useTexts('errors');
  const refusalText = useRefusalText();
  return (error, fieldOf) => {
    const errors: Record<string, string> = {};
    if (!(error instanceof GatehouseError)) return { errors, isAtFields: false };
    const name = fieldOfCode[error.code];
    const field = name && fieldOf(`/${name}`);
    if (field) return { errors: { [field]: refusalText(error) }, isAtFields: true };
    let others = error.details.length === 0;
    for (const { path, message } of error.details) {
      const field = fieldOf(path);
      const text = isAboutDirection(message) ? 'direction_controls' : `field.${toName(path)}`;
      if (field) errors[field] ??= t(t.has(text) ? text : 'field');
      else others = true;
    }
    return { errors, isAtFields: !others };
  };
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
  const read = useFieldErrors();
  const [shown, setShown] = useState<(FormFailure & { fields: string[] }) | null>(null);

  function show(error: unknown): void {
    const { errors, isAtFields } = read(error, fieldOf);
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
