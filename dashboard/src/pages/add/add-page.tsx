import { PageHeader } from '../../parts/page-header.tsx';

export function AddPage() {
  return <PageHeader title="Add" />;
}
