import type { PageCode, UpdatePageCode } from '@gatehouse/client';
import { maxNameLength } from '@gatehouse/contract/limits';
import { dayOf, lastDayOf } from '@gatehouse/contract/time-zones';
import { TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useState } from 'react';
import { DialogForm } from '../../../components/forms/dialog-form.tsx';
import { LastDayInput } from '../../../components/last-day-input.tsx';
import { chosenEnd } from '../../../format/days.ts';
import { useSubmission } from '../../../hooks/use-submission.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useSiteApi } from '../../../queries/site-api.ts';
import { useSite } from '../../../session/site.ts';
import { MaxUsesField } from './create-form.tsx';

interface Values {
  label: string;
  /** The last day; empty for no end. */
  day: string;
  maxUses: number | '';
}

/** A form for the label, the end and the number of uses of a page code. Only what was changed is sent. */
export function EditForm({ code, close }: { code: PageCode; close: () => void }) {
  const t = useTexts('codes');
  const common = useTexts('common');
  const { form, saving } = useSaving(code, close);
  return (
    <DialogForm form={saving} cancel={close} submit={common('save')}>
      <TextInput
        {...form.getInputProps('label')}
        label={t('label')}
        description={t('labelHelp')}
        maxLength={maxNameLength}
        autoComplete="off"
        data-autofocus
      />
      <LastDayInput {...form.getInputProps('day')} label={common('lastDay')} description={t('dayHelp')} />
      <MaxUsesField {...form.getInputProps('maxUses')} />
    </DialogForm>
  );
}

function useSaving({ id, label, expiresAt, maxUses }: PageCode, close: () => void) {
  const t = useTexts('codes');
  const common = useTexts('common');
  const { gatehouse, keys } = useSiteApi();
  const { timeZone } = useSite();
  const day = expiresAt === null ? '' : (lastDayOf(expiresAt, timeZone) ?? dayOf(expiresAt, timeZone));
  const [before] = useState<Values>({ label, day, maxUses: maxUses ?? '' });
  const form = useForm<Values>({
    initialValues: before,
    validate: {
      label: isNotEmpty(t('labelMissing')),
      day: (chosen) =>
        chosen !== before.day && chosenEnd(chosen, timeZone, new Date()) === undefined
          ? common('dayOver')
          : null,
    },
  });
  const saving = useSubmission(form, {
    send: async (values): Promise<unknown> => {
      const changes: UpdatePageCode = {
        ...(values.label.trim() !== before.label && { label: values.label.trim() }),
        ...(values.day !== before.day && { expiresAt: chosenEnd(values.day, timeZone, new Date()) ?? null }),
        ...(values.maxUses !== before.maxUses && { maxUses: values.maxUses === '' ? null : values.maxUses }),
      };
      return Object.keys(changes).length > 0 && gatehouse.pageCodes.update(id, changes);
    },
    onSuccess: close,
    done: () => t('saved'),
    invalidates: [keys.pageCodes, keys.rules.decisions],
    fieldOf: (pointer) => ({ '/label': 'label', '/expiresAt': 'day', '/maxUses': 'maxUses' })[pointer],
  });
  return { form, saving };
}
