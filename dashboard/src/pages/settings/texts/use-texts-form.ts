import type { EmailTexts } from '@gatehouse/client';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useEffect, useRef, useState } from 'react';
import { useConflictQuestion } from '../../../hooks/use-conflict-question.ts';
import { useFormErrors } from '../../../hooks/use-form-errors.ts';
import { useSingleFlight } from '../../../hooks/use-single-flight.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useSaveTexts } from './texts-query.ts';
import { type TextsValues, toChangedTexts, toTextsValues } from './texts-values.ts';

interface TextsFormOptions {
  saved: EmailTexts[];
  /** Loads what is saved now. */
  reload: () => Promise<EmailTexts[]>;
  /** Shows the fields of a language. */
  show: (language: string) => void;
}

/** The form for the texts in all languages. Those that have changed are saved one after the other. */
export function useTextsForm({ saved, reload, show }: TextsFormOptions) {
  const t = useTexts('settings');
  const [base, setBase] = useState(saved);
  const [saving, setSaving] = useState(false);
  const form = useForm<TextsValues>({ initialValues: toTextsValues(saved) });
  // The language that is being saved: errors name the fields without it.
  const language = useRef('');
  const formErrors = useFormErrors(form, (pointer) => `${language.current}.${pointer.slice(1)}`);
  const saveTexts = useSaveTexts();
  const confirmOnConflict = useConflictQuestion();
  const unsaved = toChangedTexts(base, form.values).length > 0;

  function beginWith(next: EmailTexts[]): void {
    setBase(next);
    form.setValues(toTextsValues(next));
    form.clearErrors();
    formErrors.clear();
  }

  useEffect(() => {
    if (!unsaved && !saving && saved !== base) beginWith(saved);
  }, [saved, unsaved, saving]);

  function accept(texts: EmailTexts): void {
    setBase((known) => known.map((each) => (each.language === texts.language ? texts : each)));
    form.setFieldValue(texts.language, toTextsValues([texts])[texts.language]!);
  }

  async function send(): Promise<void> {
    const changed = toChangedTexts(base, form.getValues());
    const begin = (tag: string) => {
      language.current = tag;
    };
    if (await saveTexts({ base, changed, begin, accept })) notifications.show({ message: t('saved') });
    else if (await confirmOnConflict(t('staleTitle'))) beginWith(await reload());
  }

  const save = useSingleFlight(async () => {
    formErrors.clear();
    setSaving(true);
    try {
      await send();
    } catch (error) {
      show(language.current);
      await formErrors.show(error);
    } finally {
      setSaving(false);
    }
  });
  return { form, unsaved, saving, save, discard: () => beginWith(saved), failure: formErrors.failure };
}
