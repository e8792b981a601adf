import { PageHeader } from '../../parts/page-header.tsx';

export function GroupPage() {
  return <PageHeader title="Group" />;
}
