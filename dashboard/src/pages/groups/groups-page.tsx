import { PageHeader } from '../../parts/page-header.tsx';

export function GroupsPage() {
  return <PageHeader title="Groups" />;
}
