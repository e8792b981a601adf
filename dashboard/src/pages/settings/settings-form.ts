import { type UseFormReturnType, useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import { useFormErrors } from '../../parts/form-errors.ts';
import { useOneAtATime } from '../../parts/one-at-a-time.ts';
import { useStaleQuestion } from '../../parts/stale.ts';
import { isStale } from '../../parts/version.ts';
import { type SavedSite, useSaveSite } from './settings-query.ts';
import {
  fieldOf,
  type SettingsValues,
  toChanges,
  toValues,
  understandDomain,
  withTyped,
} from './settings-values.ts';

export type SettingsForm = UseFormReturnType<SettingsValues>;

/** The form over one version of the site, and how it is saved. `reload` fetches the version that is saved now. */
export function useSettingsForm(saved: SavedSite, reload: () => Promise<unknown>) {
  const t = useTexts('settings');
  const stale = useStaleQuestion();
  const saving = useSaveSite();
  // What was begun on one version is never saved over another.
  const [base, setBase] = useState(saved);
  const form = useForm<SettingsValues>({
    initialValues: toValues(base.site),
    validateInputOnBlur: ['colour'],
    validate: {
      title: (title) => (title.trim() === '' ? t('titleMissing') : null),
      colour: (colour) => (colour === '' || /^#[0-9a-f]{6}$/i.test(colour) ? null : t('colourWrong')),
      domains: {
        domain: (domain, { policy }) =>
          policy === 'allowed_domains' && domain.trim() === '' ? t('mailDomainMissing') : null,
      },
    },
  });
  const formErrors = useFormErrors(form, fieldOf);
  const unsaved = toChanges(base.site, form.values) !== undefined;

  function beginWith(next: SavedSite): void {
    setBase(next);
    domain.current = toValues(next.site).domain;
    form.setValues(toValues(next.site));
    form.clearErrors();
    formErrors.clear();
  }

  // The domain that was understood last: what is typed is compared with it.
  const domain = useRef(form.values.domain);
  const read = (typed: string, { scheme }: SettingsValues) =>
    understandDomain(typed, { domain: domain.current, scheme });
  function understand(typed: string): void {
    const next = read(typed, form.getValues());
    domain.current = next.domain;
    if (next.domain !== form.getValues().domain) form.setFieldValue('domain', next.domain);
    if (next.scheme !== form.getValues().scheme) form.setFieldValue('scheme', next.scheme);
  }

  // A newer version is a reason to begin anew, unless there is something to lose.
  useEffect(() => {
    if (!unsaved && saved !== base) beginWith(saved);
  }, [saved, unsaved]);

  const save = useOneAtATime(async () => {
    understand(form.getValues().domain);
    const changes = toChanges(base.site, form.getValues());
    if (!changes) return;
    const { hasErrors, errors } = form.validate();
    if (hasErrors) return focusFirst(errors);
    const sent = form.getValues();
    formErrors.clear();
    try {
      const next = await saving.mutateAsync({ changes, etag: base.etag });
      setBase(next);
      form.setValues(withTyped(toValues(next.site), sent, form.getValues()));
      form.clearErrors();
      notifications.show({ message: t('saved') });
    } catch (error) {
      if (isStale(error)) await askToReload();
      else formErrors.show(error);
    }
  });

  function focusFirst(errors: object): void {
    const [first] = Object.keys(errors);
    if (first) form.getInputNode(first)?.focus();
  }

  async function askToReload(): Promise<void> {
    if (!(await stale(t('staleTitle')))) return;
    discard();
    await reload();
  }

  function discard(): void {
    beginWith(base);
  }

  return {
    form,
    base,
    understand,
    address: read(form.values.domain, form.values),
    unsaved,
    save,
    discard,
    saving: saving.isPending,
    failure: formErrors.failure,
  };
}
