import { PageHeader } from '../../parts/page-header.tsx';

export function MePage() {
  return <PageHeader title="Me" />;
}
