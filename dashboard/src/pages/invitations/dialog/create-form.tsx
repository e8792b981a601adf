import type { BulkInvitationResultItem, Invitation } from '@gatehouse/client';
import { maxBulkMembers } from '@gatehouse/contract/limits';
import { SegmentedControl, Textarea } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { DialogForm } from '../../../components/forms/dialog-form.tsx';
import { useSubmission } from '../../../hooks/use-submission.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useSiteKeys } from '../../../queries/keys.ts';
import { inviteAll } from '../../../queries/ways-in/invitations.ts';
import { useGatehouse, useSite } from '../../../session/site.ts';
import { addressesIn } from './addresses-in.ts';
import { InvitationFields } from './invitation-fields.tsx';
import { fieldsOf, type InvitationValues, newInvitation } from './invitation-values.ts';
import { LanguageField } from './language-field.tsx';
import { fieldOf, useValueChecks } from './use-value-checks.ts';

/** What was created: a link for everybody, or an invitation for each address. */
export type Invited = { readonly invitation: Invitation } | { readonly results: BulkInvitationResultItem[] };

export interface CreateValues extends InvitationValues {
  audience: 'link' | 'addresses';
  addresses: string;
  language: string | null;
}

interface CreateFormProps {
  close: () => void;
  created: (invited: Invited) => void;
}

/** A form for a link that everybody can use, or for invitations to email addresses. */
export function CreateForm({ close, created }: CreateFormProps) {
  const t = useTexts('invitations');
  const { form, creation } = useCreation(created);
  const { audience, addresses } = form.values;
  const isForAddress = audience === 'addresses';
  const count = isForAddress ? addressesIn(addresses).length : 0;
  return (
    <DialogForm
      form={creation}
      cancel={close}
      submit={isForAddress && count > 0 ? t('sendAll', { count }) : t(isForAddress ? 'send' : 'create')}
    >
      <SegmentedControl
        {...form.getInputProps('audience')}
        aria-label={t('audience')}
        data={(['link', 'addresses'] as const).map((value) => ({ value, label: t(`audience.${value}`) }))}
        fullWidth
      />
      {isForAddress && <AddressFields form={form} />}
      <InvitationFields form={form} isForAddress={isForAddress} />
    </DialogForm>
  );
}

function AddressFields({ form }: { form: UseFormReturnType<CreateValues> }) {
  const t = useTexts('invitations');
  return (
    <>
      <Textarea
        {...form.getInputProps('addresses')}
        label={t('addresses')}
        description={t('addressesHelp')}
        placeholder={'Ada Lovelace <ada@example.com>\ngrace@example.com, alan@example.com'}
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        data-autofocus
      />
      <LanguageField input={form.getInputProps('language')} />
    </>
  );
}

function useCreation(created: CreateFormProps['created']) {
  const t = useTexts('invitations');
  const gatehouse = useGatehouse();
  const keys = useSiteKeys();
  const { timeZone } = useSite();
  const checks = useValueChecks();
  const form = useForm<CreateValues>({
    initialValues: {
      ...newInvitation(timeZone, new Date()),
      audience: 'link',
      addresses: '',
      language: null,
    },
    validate: {
      ...checks,
      addresses: (text, { audience }) => {
        if (audience === 'link') return null;
        const count = addressesIn(text).length;
        if (count === 0) return t('addressesMissing');
        return count > maxBulkMembers ? t('tooManyAddresses', { count, max: maxBulkMembers }) : null;
      },
    },
  });
  const creation = useSubmission(form, {
    send: async (values): Promise<Invited> => {
      const { maxUses, emailDomains, ...fields } = fieldsOf(values, timeZone);
      if (values.audience === 'link')
        return { invitation: await gatehouse.invitations.create({ ...fields, maxUses, emailDomains }) };
      const emails = addressesIn(values.addresses);
      return { results: await inviteAll(gatehouse, { ...fields, emails, language: values.language }) };
    },
    onSuccess: created,
    invalidates: [keys.invitations.all, keys.emails.all],
    fieldOf,
  });
  return { form, creation };
}
