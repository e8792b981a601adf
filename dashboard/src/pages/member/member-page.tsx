import { PageHeader } from '../../parts/page-header.tsx';

export function MemberPage() {
  return <PageHeader title="Member" />;
}
