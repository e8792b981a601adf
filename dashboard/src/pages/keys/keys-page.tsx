import { PageHeader } from '../../parts/page-header.tsx';

export function KeysPage() {
  return <PageHeader title="Keys" />;
}
