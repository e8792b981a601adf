import type { Email } from '@gatehouse/client';
import { ResendButton } from '../../components/emails/resend-button.tsx';
import { replyOf, ServerReply } from '../../components/emails/server-reply.tsx';
import { LinkText } from '../../components/layout/links.tsx';
import { CellButton } from '../../components/tables/cell-button.tsx';
import { CellNote } from '../../components/tables/cell-note.tsx';
import { DataCell, type DataColumn, DataRow, DataTable } from '../../components/tables/data-table.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { displayAddress } from '../../format/addresses/email-address.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useMay } from '../../session/site.ts';
import { EmailState } from './email-state.tsx';

interface EmailTableProps {
  emails: readonly Email[];
  /** The email that is open. */
  openId: string | undefined;
  open: (id: string) => void;
}

/** Emails, each with its recipient, subject and state. A row opens the email; one that has failed can be sent again in it. */
export function EmailTable({ emails, openId, open }: EmailTableProps) {
  const t = useTexts('emails');
  const columns: DataColumn[] = [
    { name: 'recipient', title: t('recipient'), width: 248 },
    { name: 'subject', title: t('subject') },
    { name: 'state', title: t('state'), width: 112 },
    { name: 'time', title: t('time'), width: 128, align: 'end' },
    { name: 'actions', title: t('actions'), width: 128, isUntitled: true },
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
  const { status, createdAt } = email;
  return (
    <DataRow isActive={isOpen} onOpen={open}>
      <DataCell title={displayAddress(email.recipient)}>
        <Recipient email={email} />
      </DataCell>
      <SubjectCell email={email} open={open} />
      <DataCell>
        <EmailState state={status} />
      </DataCell>
      <DataCell quiet align="end">
        <TimeText at={createdAt} />
      </DataCell>
      <DataCell holds="actions">
        <ResendButton email={email} isInRow />
      </DataCell>
    </DataRow>
  );
}

/** The recipient; a member is a link to the member. */
export function Recipient({ email: { recipient, memberId } }: { email: Email }) {
  const mayOpen = useMay('members:read');
  const address = displayAddress(recipient);
  if (memberId === null || !mayOpen) return address;
  return (
    <LinkText from="/$site" to="/$site/members/$memberId" params={{ memberId }} c="inherit" fw={500}>
      {address}
    </LinkText>
  );
}

/** The subject, which opens the email, and why the email was not sent. */
function SubjectCell({ email, open }: Omit<EmailRowProps, 'isOpen'>) {
  const { subject } = email;
  const error = replyOf(email);
  return (
    <DataCell title={[subject, error].filter(Boolean).join('\n')}>
      <CellButton quiet onClick={open}>
        {subject}
      </CellButton>
      {error !== null && (
        <CellNote isProblem maxLines={2}>
          <ServerReply reply={error} />
        </CellNote>
      )}
    </DataCell>
  );
}
