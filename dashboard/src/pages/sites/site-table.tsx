import { useNavigate } from '@tanstack/react-router';
import { LinkText } from '../../components/layout/links.tsx';
import { DataCell, type DataColumn, DataRow, DataTable } from '../../components/tables/data-table.tsx';
import { useTexts } from '../../languages/texts.tsx';
import type { OperatedSite } from '../../session/dashboard-api.ts';

/** Sites, each with its domain and the role of the operator. A row opens the site. */
export function SiteTable({ sites }: { sites: readonly OperatedSite[] }) {
  const t = useTexts('sites');
  const columns: DataColumn[] = [
    { name: 'site', title: t('site') },
    { name: 'domain', title: t('domain') },
    { name: 'role', title: t('role'), width: 144 },
    { name: 'slug', title: t('slug'), width: 192, from: 'sm' },
  ];
  return (
    <DataTable label={t('title')} columns={columns}>
      {sites.map((site) => (
        <SiteRow key={site.id} site={site} />
      ))}
    </DataTable>
  );
}

function SiteRow({ site: { slug, title, domain, role } }: { site: OperatedSite }) {
  const t = useTexts('sites');
  const roles = useTexts('operators');
  const navigate = useNavigate();
  const page = { to: '/$site', params: { site: slug } } as const;
  return (
    <DataRow onOpen={() => void navigate(page)}>
      <DataCell title={title}>
        <LinkText {...page} c="inherit" fw={500}>
          {title}
        </LinkText>
      </DataCell>
      <DataCell quiet={domain === null} title={domain ?? undefined}>
        {domain ?? t('noDomain')}
      </DataCell>
      <DataCell title={roles(`${role}Help`)}>{roles(role)}</DataCell>
      <DataCell quiet title={slug}>
        {slug}
      </DataCell>
    </DataRow>
  );
}
