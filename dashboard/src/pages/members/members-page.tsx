import { PageHeader } from '../../parts/page-header.tsx';

export function MembersPage() {
  return <PageHeader title="Members" />;
}
