import type { Site, UpdateSite } from '@gatehouse/client';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useEffect, useRef, useState } from 'react';
import { isSessionLimit } from '../../format/session-limit.ts';
import { useConflictQuestion } from '../../hooks/use-conflict-question.ts';
import { useFormErrors } from '../../hooks/use-form-errors.ts';
import { useSingleFlight } from '../../hooks/use-single-flight.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useSaveSite } from '../../queries/saved-site.ts';
import { isConflict, type Version } from '../../queries/version.ts';
import {
  fieldOf,
  hasDomains,
  parseDomain,
  type SettingsValues,
  toChanges,
  toValues,
  withTyped,
} from './settings-values.ts';

export type SettingsForm = UseFormReturnType<SettingsValues>;
type FormErrors = ReturnType<typeof useFormErrors>;

/**
 * The form for one version of the site, and the function that saves it. `reload` loads the version that is saved now.
 */
export function useSettingsForm(saved: Version<Site>, reload: () => Promise<Version<Site>>) {
  // Edits that started on one version must never overwrite another one.
  const [base, setBase] = useState(saved);
  const form = useValidatedForm(toValues(base.data));
  const formErrors = useFormErrors(form, fieldOf);
  const saving = useSaveSite();
  const domain = useDomain(form);
  const unsaved = toChanges(base.data, form.values) !== undefined;

  // Just after the form begins with a version, an older one can still be loaded.
  const loaded = useRef(saved);
  loaded.current = saved;
  const older = useRef<Version<Site>>(undefined);

  function continueFrom(next: Version<Site>): void {
    older.current = loaded.current;
    setBase(next);
  }

  function show({ data }: Version<Site>): void {
    domain.begin(toValues(data).domain);
    form.setValues(toValues(data));
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

  const save = useSave(form, formErrors, {
    changes: () => {
      domain.understand(form.getValues().domain);
      return toChanges(base.data, form.getValues());
    },
    send: (changes) => saving.mutateAsync({ changes, etag: base.etag }),
    saved: continueFrom,
    startOver: async () => beginWith(await reload()),
  });
  return {
    form,
    base,
    understand: domain.understand,
    address: domain.address,
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

function useValidatedForm(initialValues: SettingsValues): SettingsForm {
  const t = useTexts('settings');
  return useForm<SettingsValues>({
    initialValues,
    validateInputOnBlur: ['color'],
    validate: {
      domain: (domain, { hosts }) => (domain.trim() === '' && hosts.length > 0 ? t('domainMissing') : null),
      title: (title) => (title.trim() === '' ? t('titleMissing') : null),
      color: (color) => (color === '' || /^#[0-9a-f]{6}$/i.test(color) ? null : t('colorWrong')),
      maxSessions: (count) => (isSessionLimit(count) ? null : t('maxSessionsWrong')),
      hosts: { domain: (domain) => (domain.trim() === '' ? t('hostMissing') : null) },
      domains: {
        domain: (domain, values) =>
          hasDomains(values) && domain.trim() === '' ? t('emailDomainMissing') : null,
      },
    },
  });
}

/** Parses the domain and the scheme while they are typed. */
function useDomain(form: SettingsForm) {
  // The domain that was parsed last. New input is compared with it.
  const last = useRef(form.values.domain);
  const read = (typed: string, { scheme }: SettingsValues) =>
    parseDomain(typed, { domain: last.current, scheme });

  function understand(typed: string): void {
    const next = read(typed, form.getValues());
    last.current = next.domain;
    if (next.domain !== form.getValues().domain) form.setFieldValue('domain', next.domain);
    if (next.scheme !== form.getValues().scheme) form.setFieldValue('scheme', next.scheme);
  }

  function begin(domain: string): void {
    last.current = domain;
  }

  return { understand, begin, address: read(form.values.domain, form.values) };
}

interface SaveSteps {
  /** The changes to save; undefined if there are none. */
  changes: () => UpdateSite | undefined;
  send: (changes: UpdateSite) => Promise<Version<Site>>;
  saved: (site: Version<Site>) => void;
  /** Loads the version that another operator has saved. */
  startOver: () => Promise<void>;
}

function useSave(form: SettingsForm, formErrors: FormErrors, { changes, send, saved, startOver }: SaveSteps) {
  const t = useTexts('settings');
  const confirmOnConflict = useConflictQuestion();

  async function showFailure(error: unknown): Promise<void> {
    if (!isConflict(error)) await formErrors.show(error);
    else if (await confirmOnConflict(t('staleTitle'))) await startOver().catch(formErrors.show);
  }

  return useSingleFlight(async () => {
    const toSave = changes();
    if (!toSave) return;
    const { hasErrors, errors } = form.validate();
    if (hasErrors) return focusFirstField(form, errors);
    const sent = form.getValues();
    formErrors.clear();
    try {
      const next = await send(toSave);
      saved(next);
      form.setValues(withTyped(toValues(next.data), sent, form.getValues()));
      form.clearErrors();
      notifications.show({ message: t('saved') });
    } catch (error) {
      await showFailure(error);
    }
  });
}

function focusFirstField(form: SettingsForm, errors: object): void {
  const [first] = Object.keys(errors);
  if (first) form.getInputNode(first)?.focus();
}
