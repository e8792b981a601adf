import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTexts } from '../languages/texts.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { useRefused } from '../parts/refusals.ts';
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
  const creation = useMutation({
    mutationFn: (site: NewSite) => whileSignedIn(() => dashboardApi.createSite(site)),
    onSuccess: async ({ site }) => {
      await client.refetchQueries(meQuery);
      leave();
      await navigate({ to: '/$site', params: { site: site.slug } });
    },
  });

  function submit({ title, slug, domain }: typeof form.values): void {
    creation.mutate({ title, slug, ...(domain.trim() !== '' && { domain: domain.trim() }) });
  }

  function changeTitle(title: string): void {
    // A short name that was chosen stays.
    if (form.values.slug === toSlug(form.values.title)) form.setFieldValue('slug', toSlug(title));
    form.setFieldValue('title', title);
  }

  const { errors: refused, note } = useRefused()(
    creation.error,
    { site_slug_taken: 'slug', site_domain_taken: 'domain' },
    (path) =>
      ({ '/title': 'title', '/slug': 'slug', '/domain': 'domain' })[path] as 'title' | 'slug' | 'domain',
  );

  function leave(): void {
    close();
    form.reset();
    creation.reset();
  }

  return (
    <Modal opened={opened} onClose={leave} title={t('newSite')}>
      <form onSubmit={form.onSubmit(submit)} noValidate>
        <Stack>
          <TextInput
            {...form.getInputProps('title')}
            error={form.errors.title ?? refused.title}
            label={t('siteTitle')}
            onChange={(event) => changeTitle(event.currentTarget.value)}
            data-autofocus
          />
          <TextInput
            {...form.getInputProps('slug')}
            error={form.errors.slug ?? refused.slug}
            label={t('siteSlug')}
            description={t('siteSlugHelp')}
          />
          <TextInput
            {...form.getInputProps('domain')}
            error={refused.domain}
            label={t('siteDomain')}
            description={t('siteDomainHelp')}
            placeholder="club.example.org"
          />
          {note != null && <ErrorNote error={note} />}
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
