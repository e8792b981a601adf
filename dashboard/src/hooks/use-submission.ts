import type { UseFormReturnType } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { isConflict } from '../queries/version.ts';
import { useConflictQuestion } from './use-conflict-question.ts';
import { type FormFailure, useFormErrors } from './use-form-errors.ts';

interface Submission<Values, Result> {
  send: (values: Values) => Promise<Result>;
  onSuccess?: (result: Result) => unknown;
  /** What is shown in a notification after that. */
  done?: (result: Result) => string;
  /** Query key prefixes. Queries with these prefixes are invalidated at the end. */
  invalidates?: readonly QueryKey[];
  /** The field for a JSON pointer, if it is not named like its first part. */
  fieldOf?: ((pointer: string) => string | undefined) | undefined;
  /** For a form that changes what it has loaded: if another operator has changed it too, it can be loaded again. */
  stale?: { title: string; queryKey: QueryKey; close: () => void };
}

/** The state of a form that is sent. */
export interface SubmittedForm {
  readonly submit: (event: FormEvent<HTMLFormElement>) => void;
  readonly isPending: boolean;
  readonly failure: FormFailure | null;
}

/** Sends a valid form, and shows the errors of the response at its fields. */
export function useSubmission<Values extends object, Result>(
  form: UseFormReturnType<Values>,
  { send, onSuccess, done, invalidates = [], fieldOf, stale }: Submission<Values, Result>,
): SubmittedForm {
  const client = useQueryClient();
  const { clear, show, failure } = useFormErrors(form, fieldOf);
  const confirmOnConflict = useConflictQuestion();
  const { mutate, isPending } = useMutation({
    onMutate: clear,
    mutationFn: send,
    onError: async (error) => {
      if (!stale || !isConflict(error)) await show(error);
      else if (await confirmOnConflict(stale.title)) {
        stale.close();
        await client.invalidateQueries({ queryKey: stale.queryKey });
      }
    },
    onSuccess: async (result) => {
      await onSuccess?.(result);
      if (done) notifications.show({ message: done(result) });
      await Promise.all(invalidates.map((queryKey) => client.invalidateQueries({ queryKey })));
    },
  });
  return { submit: form.onSubmit((values) => mutate(values)), isPending, failure };
}
