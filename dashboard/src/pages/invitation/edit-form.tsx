import type { Invitation } from '@gatehouse/client';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { DialogForm } from '../../components/forms/dialog-form.tsx';
import { useSubmission } from '../../hooks/use-submission.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteKeys } from '../../queries/keys.ts';
import { saveChanged, type Version } from '../../queries/version.ts';
import { useGatehouse, useSite } from '../../session/site.ts';
import { InvitationFields } from '../invitations/dialog/invitation-fields.tsx';
import {
  type InvitationFields as Fields,
  fieldsOf,
  type InvitationValues,
  valuesOf,
} from '../invitations/dialog/invitation-values.ts';
import { fieldOf, useValueChecks } from '../invitations/dialog/use-value-checks.ts';

interface EditFormProps {
  loaded: Version<Invitation>;
  close: () => void;
}

/** Changes an invitation. Its address and language stay. */
export function EditForm({ loaded, close }: EditFormProps) {
  const common = useTexts('common');
  // Edits that started on one version must not overwrite another one.
  const [saved] = useState(loaded);
  const { form, submission } = useEdit(saved, close);
  return (
    <DialogForm form={submission} cancel={close} submit={common('save')}>
      <InvitationFields form={form} isForAddress={saved.data.email !== null} />
    </DialogForm>
  );
}

function useEdit(saved: Version<Invitation>, close: () => void) {
  const t = useTexts('invitations');
  const { invitations } = useGatehouse();
  const keys = useSiteKeys();
  const { timeZone } = useSite();
  const checks = useValueChecks();
  const { id } = saved.data;
  const before = valuesOf(saved.data, timeZone);
  const form = useForm<InvitationValues>({
    initialValues: before,
    validate: {
      ...checks,
      // An end that has passed, and is not changed, is no mistake in this form.
      lastDay: (day) => (day === before.lastDay ? null : checks.lastDay(day)),
    },
  });
  const submission = useSubmission(form, {
    send: (values) =>
      saveChanged<Invitation, Fields>({
        base: saved,
        before: fieldsOf(before, timeZone, saved.data),
        values: fieldsOf(values, timeZone, saved.data),
        read: () => invitations.get(id),
        send: (changes, etag) => invitations.update(id, changes, { ifMatch: etag }),
      }),
    onSuccess: close,
    done: () => t('saved'),
    invalidates: [keys.invitations.all],
    fieldOf,
    stale: { title: t('staleTitle'), queryKey: keys.invitations.all, close },
  });
  return { form, submission };
}
