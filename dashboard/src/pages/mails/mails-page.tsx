import { PageHeader } from '../../parts/page-header.tsx';

export function MailsPage() {
  return <PageHeader title="Mails" />;
}
