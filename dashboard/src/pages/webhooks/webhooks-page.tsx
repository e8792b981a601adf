import { Anchor, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { QueryState } from '../../components/feedback/query-state.tsx';
import { IconPlus, IconWebhook } from '../../components/icons/icons.ts';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { EmptyState } from '../../components/layout/empty-state.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { useWebhooks } from '../../components/webhooks/webhook-queries.ts';
import { usePageCommand } from '../../hooks/use-page-command.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useMay } from '../../session/site.ts';
import { CreateDialog } from './create-dialog.tsx';
import { WebhookTable } from './webhook-table.tsx';

const guide = '/docs#tag/webhooks';

/** The webhooks of the site. */
export function WebhooksPage() {
  const t = useTexts('webhooks');
  const mayWrite = useMay('webhooks:write', 'events:read');
  const { data, error, refetch } = useWebhooks();
  const [opened, { open, close }] = useDisclosure();
  usePageCommand('new-webhook', open);
  const create = mayWrite && (
    <ActionButton variant="filled" icon={IconPlus} label={t('create')} onClick={open} />
  );
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('pageText')}
        actions={
          <>
            <Button
              variant="default"
              renderRoot={(props) => <a href={guide} target="_blank" rel="noreferrer" {...props} />}
            >
              {t('docs')}
            </Button>
            {create}
          </>
        }
      />
      <QueryState query={{ data, error, refetch }} rows={3} />
      {data?.length === 0 && (
        <EmptyState icon={IconWebhook} title={t('empty')} action={create}>
          {t('emptyText')}{' '}
          <Anchor href={guide} target="_blank" rel="noreferrer" underline="always">
            {t('guide')}
          </Anchor>
        </EmptyState>
      )}
      {data && data.length > 0 && <WebhookTable webhooks={data} />}
      <CreateDialog opened={opened} close={close} />
    </>
  );
}
