import type { Mail, MailKind, MailState } from '@gatehouse/contract';

/** What a mail says, in both its forms. */
export interface MailContent {
  /** Who it comes from, as people call it: the title of the site. */
  readonly fromName: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface NewMail {
  readonly kind: MailKind;
  /** One address in its one form. */
  readonly recipient: string;
  readonly memberId: string | null;
  readonly loginLinkId: string | null;
  readonly content: MailContent;
  /** The subject without what is secret in that of the content. Left out, there is nothing. */
  readonly subject?: string;
}

export interface MailRow {
  id: string;
  recipient: string;
  login_link_id: string | null;
  content: string;
  attempts: number;
  created_at: string;
}

export interface StoredMailRow {
  id: string;
  kind: string;
  recipient: string;
  member_id: string | null;
  state: string;
  attempts: number;
  next_attempt_at: string | null;
  last_error: string | null;
  subject: string;
  created_at: string;
  sent_at: string | null;
}

export function toMail(row: StoredMailRow): Mail {
  return {
    id: row.id,
    kind: row.kind as MailKind,
    recipient: row.recipient,
    memberId: row.member_id,
    state: row.state as MailState,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at,
    lastError: row.last_error,
    subject: row.subject,
    createdAt: row.created_at,
    sentAt: row.sent_at,
  };
}
