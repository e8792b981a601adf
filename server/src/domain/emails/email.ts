import type { Email, EmailStatus, EmailType } from '@gatehouse/contract';

/** The content of an email, as plain text and as HTML. */
export interface EmailContent {
  /** The name of the sender: the title of the site. */
  readonly fromName: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface NewEmail {
  readonly type: EmailType;
  /** A normalized email address. */
  readonly recipient: string;
  readonly memberId: string | null;
  readonly loginLinkId: string | null;
  readonly content: EmailContent;
  /** The subject without secrets such as the code. Omitted to store no subject. */
  readonly subject?: string;
}

export interface EmailRow {
  id: string;
  recipient: string;
  login_link_id: string | null;
  content: string;
  attempts: number;
  created_at: string;
}

/** Why an attempt to send an email failed. */
export interface EmailFailure {
  /** Contains nothing of the email. */
  readonly reason: string;
  /** What the mail server said, without secrets; null if it said nothing. */
  readonly mailServerReply: string | null;
}

export interface StoredEmailRow {
  id: string;
  type: string;
  recipient: string;
  member_id: string | null;
  status: string;
  attempts: number;
  next_attempt_at: string | null;
  last_error: string | null;
  mail_server_reply: string | null;
  subject: string;
  created_at: string;
  sent_at: string | null;
}

export function toEmail(row: StoredEmailRow): Email {
  return {
    id: row.id,
    type: row.type as EmailType,
    recipient: row.recipient,
    memberId: row.member_id,
    status: row.status as EmailStatus,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at,
    lastError: row.last_error,
    mailServerReply: row.mail_server_reply,
    subject: row.subject,
    createdAt: row.created_at,
    sentAt: row.sent_at,
  };
}
