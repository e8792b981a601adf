import { PageHeader } from '../../parts/page-header.tsx';

export function OperatorsPage() {
  return <PageHeader title="Operators" />;
}
