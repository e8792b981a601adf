import { IconPlus, IconWorld } from '../../components/icons/icons.ts';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { EmptyState } from '../../components/layout/empty-state.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { requestPageCommand } from '../../hooks/use-page-command.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useMe } from '../../session/me.ts';
import { SiteTable } from './site-table.tsx';

/** The sites on which the operator has a role. */
export function SitesPage() {
  const t = useTexts('sites');
  const { sites, mayCreateSites } = useMe();
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          mayCreateSites && (
            <ActionButton
              variant="filled"
              icon={IconPlus}
              label={t('create')}
              onClick={() => requestPageCommand('new-site')}
            />
          )
        }
      />
      {sites.length > 0 ? (
        <SiteTable sites={sites} />
      ) : (
        <EmptyState icon={IconWorld} title={t('empty')}>
          {t('emptyText')}
        </EmptyState>
      )}
    </>
  );
}
