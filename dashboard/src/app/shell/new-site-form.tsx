import { maxSlugLength } from '@gatehouse/contract/limits';
import { TextInput } from '@mantine/core';
import { isNotEmpty, type UseFormReturnType, useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { DialogForm } from '../../components/forms/dialog-form.tsx';
import { readDomain, toAsciiDomain } from '../../format/addresses/domain.ts';
import { browserTimeZone } from '../../format/time-zone.ts';
import { useSubmission } from '../../hooks/use-submission.ts';
import { useTexts } from '../../languages/texts.tsx';
import { dashboardApi, type NewSite } from '../../session/dashboard-api.ts';
import { whileLoggedIn } from '../../session/logged-out.ts';
import { meQuery } from '../../session/me.ts';

type Values = { title: string; slug: string; domain: string };

/** Creates another site with the operator as its owner, then opens it. */
export function NewSiteForm({ close }: { close: () => void }) {
  const t = useTexts('shell');
  const form = useForm<Values>({
    initialValues: { title: '', slug: '', domain: '' },
    validate: { title: isNotEmpty(t('titleMissing')), slug: isNotEmpty(t('slugMissing')) },
  });
  const client = useQueryClient();
  const navigate = useNavigate();
  const creation = useSubmission(form, {
    send: (values) => whileLoggedIn(() => dashboardApi.createSite(toSite(values))),
    onSuccess: async (site) => {
      await client.refetchQueries(meQuery);
      close();
      await navigate({ to: '/$site', params: { site: site.slug } });
    },
  });

  function changeTitle(title: string): void {
    // A short name that the operator edited stays as it is.
    if (form.values.slug === toSlug(form.values.title)) form.setFieldValue('slug', toSlug(title));
    form.setFieldValue('title', title);
  }

  return (
    <DialogForm form={creation} cancel={close} submit={t('createSite')}>
      <TextInput
        {...form.getInputProps('title')}
        label={t('siteTitle')}
        onChange={(event) => changeTitle(event.currentTarget.value)}
        data-autofocus
      />
      <TextInput {...form.getInputProps('slug')} label={t('siteSlug')} description={t('siteSlugHelp')} />
      <DomainField form={form} />
    </DialogForm>
  );
}

function DomainField({ form }: { form: UseFormReturnType<Values> }) {
  const t = useTexts('shell');
  const domain = form.getInputProps('domain');
  return (
    <TextInput
      {...domain}
      onBlur={(event) => {
        domain.onBlur(event);
        const read = readDomain(form.values.domain).domain;
        if (read !== form.values.domain) form.setFieldValue('domain', read);
      }}
      label={t('siteDomain')}
      description={t('siteDomainHelp')}
      placeholder="club.example.org"
    />
  );
}

function toSite({ title, slug, domain }: Values): NewSite {
  return {
    title,
    slug,
    timeZone: browserTimeZone(),
    ...(domain.trim() !== '' && { domain: toAsciiDomain(domain) }),
  };
}

/** Turns "Café du Port" into `cafe-du-port`. */
function toSlug(title: string): string {
  return title
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, maxSlugLength)
    .replace(/-+$/, '');
}
