import { PageHeader } from '../../parts/page-header.tsx';

export function RulesPage() {
  return <PageHeader title="Rules" />;
}
