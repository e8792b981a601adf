import { useDisclosure } from '@mantine/hooks';
import { QueryState } from '../../components/feedback/query-state.tsx';
import { IconPlus } from '../../components/icons/icons.ts';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { Dialog } from '../../components/layout/dialog.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { usePageCommand } from '../../hooks/use-page-command.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useSources } from '../../queries/sources.ts';
import { useMay } from '../../session/site.ts';
import { KindChoice } from './kind-choice.tsx';
import { NoSources } from './no-sources.tsx';
import { SourcesTable } from './sources-table.tsx';

/** The external workspaces of the site. */
export function SourcesPage() {
  const t = useTexts('sources');
  const mayWrite = useMay('sources:write');
  const { data: sources, error, refetch } = useSources();
  const [choosing, { open, close }] = useDisclosure();
  usePageCommand('connect', open);
  const hasSources = sources !== undefined && sources.length > 0;
  const connect = mayWrite && hasSources && (
    <ActionButton variant="filled" icon={IconPlus} label={t('connect')} onClick={open} />
  );
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} actions={connect} />
      <QueryState query={{ data: sources, error, refetch }} rows={3} />
      {sources?.length === 0 && <NoSources />}
      {hasSources && <SourcesTable sources={sources} />}
      <Dialog opened={choosing && hasSources} onClose={close} title={t('chooseKind')} size="xl">
        <KindChoice />
      </Dialog>
    </>
  );
}
