import type { Email } from '@gatehouse/client';
import { Text } from '@mantine/core';
import { CellButton } from '../../components/tables/cell-button.tsx';
import { DataCell, type DataColumn, DataRow, DataTable } from '../../components/tables/data-table.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { displayAddress } from '../../format/addresses/email-address.ts';
import { useTexts } from '../../languages/texts.tsx';
import { EmailState } from './email-state.tsx';

interface EmailTableProps {
  emails: readonly Email[];
  /** The email that is open. */
  openId: string | undefined;
  open: (id: string) => void;
}

/** Emails, each with its recipient, subject and state. A row opens the email. */
export function EmailTable({ emails, openId, open }: EmailTableProps) {
  const t = useTexts('emails');
  const columns: DataColumn[] = [
    { name: 'recipient', title: t('recipient') },
    { name: 'state', title: t('state'), width: 128 },
    { name: 'subject', title: t('subject') },
    { name: 'time', title: t('time'), width: 128, align: 'end' },
  ];
  return (
    <DataTable label={t('title')} columns={columns}>
      {emails.map((email) => (
        <EmailRow key={email.id} email={email} isOpen={email.id === openId} open={() => open(email.id)} />
      ))}
    </DataTable>
  );
}

interface EmailRowProps {
  email: Email;
  isOpen: boolean;
  open: () => void;
}

function EmailRow({ email, isOpen, open }: EmailRowProps) {
  const { subject, recipient, status, createdAt, lastError, mailServerReply } = email;
  const address = displayAddress(recipient);
  const error = mailServerReply ?? lastError;
  return (
    <DataRow isActive={isOpen} onOpen={open}>
      <DataCell title={address}>
        <CellButton onClick={open}>{address}</CellButton>
      </DataCell>
      <DataCell>
        <EmailState state={status} />
      </DataCell>
      <DataCell title={[subject, error].filter(Boolean).join(' · ')}>
        {subject}
        {error !== null && (
          <Text component="span" c="var(--mantine-color-error)" ms="xs">
            {error}
          </Text>
        )}
      </DataCell>
      <DataCell quiet align="end">
        <TimeText at={createdAt} />
      </DataCell>
    </DataRow>
  );
}
