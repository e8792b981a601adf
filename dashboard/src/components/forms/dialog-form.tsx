import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { SubmittedForm } from '../../hooks/use-submission.ts';
import { FormErrorNote } from '../feedback/error-note.tsx';
import { DialogButtons } from './dialog-buttons.tsx';

interface DialogFormProps {
  form: SubmittedForm;
  cancel: () => void;
  /** The label of the submit button. */
  submit: string;
  children: ReactNode;
}

/** A form in a dialog: its fields, the error of the response, and its buttons. */
export function DialogForm({ form, cancel, submit, children }: DialogFormProps) {
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack>
        {children}
        <FormErrorNote failure={form.failure} />
        <DialogButtons cancel={cancel} submit={submit} pending={form.isPending} />
      </Stack>
    </form>
  );
}
