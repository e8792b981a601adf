import type { Site, UpdateSite } from '@gatehouse/client';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useEffect, useRef, useState } from 'react';
import { useConflictQuestion } from '../../../hooks/use-conflict-question.ts';
import { useFormErrors } from '../../../hooks/use-form-errors.ts';
import { useSingleFlight } from '../../../hooks/use-single-flight.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useSaveSite } from '../../../queries/saved-site.ts';
import { isConflict, type Version } from '../../../queries/version.ts';
import { type FormSection, withTyped } from './form-section.ts';

type FormErrors = ReturnType<typeof useFormErrors>;

/**
 * The form for a section of one version of the site, and the function that saves it. `reload` loads the version that is
 * saved now.
 */
export function useSectionForm<Values extends object>(
  section: FormSection<Values>,
  saved: Version<Site>,
  reload: () => Promise<Version<Site>>,
) {
  const t = useTexts('settings');
  // Edits that started on one version must never overwrite another one.
  const [base, setBase] = useState(saved);
  const form = useForm<Values>({
    initialValues: section.toValues(base.data),
    validateInputOnBlur: [...(section.validatedOnBlur ?? [])],
    ...(section.validate && { validate: section.validate(t) }),
  });
  const formErrors = useFormErrors(form, section.fieldOf);
  const saving = useSaveSite();
  const unsaved = section.toChanges(base.data, form.values) !== undefined;

  // Just after the form begins with a version, an older one can still be loaded.
  const loaded = useRef(saved);
  loaded.current = saved;
  const older = useRef<Version<Site>>(undefined);

  function continueFrom(next: Version<Site>): void {
    older.current = loaded.current;
    setBase(next);
  }

  function show({ data }: Version<Site>): void {
    form.setValues(section.toValues(data));
    form.clearErrors();
    formErrors.clear();
  }

  function beginWith(next: Version<Site>): void {
    continueFrom(next);
    show(next);
  }

  // A newer version resets the form, unless there are unsaved changes.
  useEffect(() => {
    if (!unsaved && saved !== older.current && !isSameVersion(saved, base)) beginWith(saved);
  }, [saved, unsaved]);

  const save = useSave(section, form, formErrors, {
    base: base.data,
    send: (changes) => saving.mutateAsync({ changes, base, fields: section.fields }),
    saved: continueFrom,
    startOver: async () => beginWith(await reload()),
  });
  return {
    form,
    base,
    unsaved,
    save,
    discard: () => show(base),
    saving: saving.isPending,
    failure: formErrors.failure,
  };
}

function isSameVersion(one: Version<Site>, other: Version<Site>): boolean {
  return one.etag !== undefined && one.etag === other.etag;
}

interface SaveSteps {
  base: Site;
  send: (changes: UpdateSite) => Promise<Version<Site>>;
  saved: (site: Version<Site>) => void;
  /** Loads the version that another operator has saved. */
  startOver: () => Promise<void>;
}

function useSave<Values extends object>(
  { normalize, toValues, toChanges }: FormSection<Values>,
  form: UseFormReturnType<Values>,
  formErrors: FormErrors,
  { base, send, saved, startOver }: SaveSteps,
) {
  const t = useTexts('settings');
  const confirmOnConflict = useConflictQuestion();

  async function showFailure(error: unknown): Promise<void> {
    if (!isConflict(error)) await formErrors.show(error);
    else if (await confirmOnConflict(t('staleTitle'))) await startOver().catch(formErrors.show);
  }

  return useSingleFlight(async () => {
    if (normalize) form.setValues(normalize(form.getValues()));
    const sent = form.getValues();
    const changes = toChanges(base, sent);
    if (!changes) return;
    const { hasErrors, errors } = form.validate();
    if (hasErrors) return focusFirstField(form, errors);
    formErrors.clear();
    try {
      const next = await send(changes);
      saved(next);
      form.setValues(withTyped(toValues(next.data), sent, form.getValues()));
      form.clearErrors();
      notifications.show({ message: t('saved') });
    } catch (error) {
      await showFailure(error);
    }
  });
}

function focusFirstField<Values extends object>(form: UseFormReturnType<Values>, errors: object): void {
  const [first] = Object.keys(errors);
  if (first) form.getInputNode(first)?.focus();
}
