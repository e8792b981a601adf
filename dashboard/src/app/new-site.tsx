import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTexts } from '../languages/texts.tsx';
import { readDomain, toAsciiDomain } from '../parts/domain.ts';
import { FormErrorNote } from '../parts/error-note.tsx';
import { useFormErrors } from '../parts/form-errors.ts';
import { dashboardApi, type NewSite } from '../session/dashboard-api.ts';
import { meQuery } from '../session/me.ts';
import { whileSignedIn } from '../session/signed-out.ts';

interface NewSiteDialogProps {
  opened: boolean;
  close: () => void;
}

/** Makes a further site, of which the operator becomes the owner, and goes there. */
export function NewSiteDialog({ opened, close }: NewSiteDialogProps) {
  const t = useTexts('shell');
  const parts = useTexts('parts');
  const client = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { title: '', slug: '', domain: '' },
    validate: { title: isNotEmpty(t('titleMissing')), slug: isNotEmpty(t('slugMissing')) },
  });
  const formErrors = useFormErrors(form);
  const creation = useMutation({
    mutationFn: (site: NewSite) => whileSignedIn(() => dashboardApi.createSite(site)),
    onMutate: formErrors.clear,
    onError: formErrors.show,
    onSuccess: async ({ site }) => {
      await client.refetchQueries(meQuery);
      leave();
      await navigate({ to: '/$site', params: { site: site.slug } });
    },
  });

  function submit({ title, slug, domain }: typeof form.values): void {
    creation.mutate({ title, slug, ...(domain.trim() !== '' && { domain: toAsciiDomain(domain) }) });
  }

  function changeTitle(title: string): void {
    // A short name that was chosen stays.
    if (form.values.slug === toSlug(form.values.title)) form.setFieldValue('slug', toSlug(title));
    form.setFieldValue('title', title);
  }

  function leave(): void {
    close();
    form.reset();
    formErrors.clear();
  }

  const domain = form.getInputProps('domain');
  return (
    <Modal opened={opened} onClose={leave} title={t('newSite')}>
      <form onSubmit={form.onSubmit(submit)} noValidate>
        <Stack>
          <TextInput
            {...form.getInputProps('title')}
            label={t('siteTitle')}
            onChange={(event) => changeTitle(event.currentTarget.value)}
            data-autofocus
          />
          <TextInput {...form.getInputProps('slug')} label={t('siteSlug')} description={t('siteSlugHelp')} />
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
          <FormErrorNote failure={formErrors.failure} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={leave}>
              {parts('cancel')}
            </Button>
            <Button type="submit" loading={creation.isPending}>
              {t('createSite')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

const longestSlug = 63;

/** "Café du Port" becomes `cafe-du-port`. */
function toSlug(title: string): string {
  return title
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, longestSlug)
    .replace(/-+$/, '');
}
