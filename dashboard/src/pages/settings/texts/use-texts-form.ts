import type { EmailTexts } from '@gatehouse/client';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useEffect, useRef, useState } from 'react';
import { useConflictQuestion } from '../../../hooks/use-conflict-question.ts';
import { useFormErrors } from '../../../hooks/use-form-errors.ts';
import { useSingleFlight } from '../../../hooks/use-single-flight.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { withTyped } from '../form/form-section.ts';
import { languageName } from '../site/languages-field.tsx';
import { useOneLanguage } from './texts-query.ts';
import {
  haveChanged,
  type OwnTexts,
  type TextsValues,
  toChangedTexts,
  toOwnTexts,
  toTextsValues,
  withTexts,
} from './texts-values.ts';

/** The form for the texts in all languages. `show` shows the fields of a language. */
export function useTextsForm(saved: EmailTexts[], show: (language: string) => void) {
  const t = useTexts('settings');
  const [base, setBase] = useState(saved);
  const [saving, setSaving] = useState(false);
  const form = useForm<TextsValues>({ initialValues: toTextsValues(saved) });
  // The language of the last request: errors name the fields without it.
  const language = useRef('');
  const formErrors = useFormErrors(form, (pointer) => `${language.current}.${pointer.slice(1)}`);
  const { isCached } = useOneLanguage();
  const unsaved = toChangedTexts(base, form.values).length > 0;

  function beginWith(next: EmailTexts[]): void {
    setBase(next);
    form.setValues(toTextsValues(next));
    form.clearErrors();
    formErrors.clear();
  }

  useEffect(() => {
    if (!unsaved && !saving && isCached(saved) && haveChanged(base, saved)) beginWith(saved);
  }, [saved, unsaved, saving]);

  function accept(texts: EmailTexts, sent?: OwnTexts): void {
    setBase((known) => withTexts(known, texts));
    const typed = form.getValues()[texts.language]!;
    form.setFieldValue(texts.language, withTyped(toOwnTexts(texts), sent ?? typed, typed));
  }

  const begin = (tag: string) => {
    language.current = tag;
  };
  const steps = useSaveSteps({ begin, show, accept });

  const save = useSingleFlight(async () => {
    form.clearErrors();
    formErrors.clear();
    setSaving(true);
    try {
      await steps.resolve(await steps.save(base, form.getValues()));
    } catch (error) {
      show(language.current);
      await formErrors.show(error);
    } finally {
      setSaving(false);
    }
  });
  const { failure } = formErrors;
  const notSaved = t('textsNotSaved', { language: languageName(language.current) });
  return { form, unsaved, saving, save, discard: () => beginWith(saved), failure, notSaved };
}

interface SaveSteps {
  /** Called before each request, with its language. */
  begin: (language: string) => void;
  show: (language: string) => void;
  /** Called with what is saved of a language, which replaces its input, except what was typed since it was sent. */
  accept: (texts: EmailTexts, sent?: OwnTexts) => void;
}

function useSaveSteps({ begin, show, accept }: SaveSteps) {
  const t = useTexts('settings');
  const oneLanguage = useOneLanguage();
  const confirmOnConflict = useConflictQuestion();

  function notify(done: string[], count: number): void {
    const languages = done.map(languageName).join(', ');
    if (done.length === count) notifications.show({ message: t('saved') });
    else if (done.length > 0) notifications.show({ message: t('textsSaved', { languages }) });
  }

  return {
    /** Saves the languages one after the other. Returns those that somebody else has changed. */
    async save(base: EmailTexts[], sent: TextsValues): Promise<string[]> {
      const changed = toChangedTexts(base, sent);
      const done: string[] = [];
      try {
        for (const [language, texts] of changed) {
          begin(language);
          const saved = await oneLanguage.save(base.find((each) => each.language === language)!, texts);
          if (!saved) continue;
          accept(saved, sent[language]!);
          done.push(language);
        }
      } finally {
        void oneLanguage.refresh();
        notify(done, changed.length);
      }
      return changed.map(([language]) => language).filter((language) => !done.includes(language));
    },

    /** For each of the languages, loads what is saved now, if the operator wants it. */
    async resolve(languages: string[]): Promise<void> {
      for (const language of languages) {
        begin(language);
        show(language);
        const title = t('textsStale', { language: languageName(language) });
        if (await confirmOnConflict(title)) accept(await oneLanguage.load(language));
      }
    },
  };
}
