import type { EmailType } from '@gatehouse/contract';
import type { Timestamp } from '../../base/clock.ts';

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
  /** The subject without secrets such as the code. By default that of the content. */
  readonly subject?: string;
}

/** Identifies the claim of an email by one process. */
export interface EmailClaim {
  readonly id: string;
  /** With this attempt, which is counted by the claim. */
  readonly attempts: number;
}

/** An email that was claimed to be sent. */
export interface ClaimedEmail extends EmailClaim {
  readonly type: EmailType;
  readonly recipient: string;
  readonly loginLinkId: string | null;
  readonly content: EmailContent;
  readonly createdAt: Timestamp;
}

/** An email whose last attempt failed. */
export interface FailedAttempt {
  /** When the email was created. */
  readonly at: Timestamp;
  readonly error: string;
  /** What the mail server said, without secrets; null if it said nothing. */
  readonly reply: string | null;
}

/** Why an attempt to send an email failed. */
export interface EmailFailure {
  /** Contains nothing of the email. */
  readonly reason: string;
  /** What the mail server said, without secrets; null if it said nothing. */
  readonly mailServerReply: string | null;
}
