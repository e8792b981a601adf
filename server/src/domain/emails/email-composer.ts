import type { Timestamp } from '../../base/clock.ts';
import type { EmailLimits } from './email-budget.ts';

/** The site and language of an email. */
export interface EmailFrame {
  readonly site: {
    readonly title: string;
    /** `#rrggbb` */
    readonly color: string | null;
    readonly logoUrl: string | null;
  };
  readonly language: string;
  /** The texts of the site; only in emails to its members. */
  readonly texts?: FrameTexts;
}

/** Texts of a site in place of, or beside, those of Gatehouse; null for none. */
export interface FrameTexts {
  readonly greeting: string | null;
  readonly welcome: string | null;
  readonly closing: string | null;
}

export interface LoginEmail {
  /** The login link. */
  readonly url: string;
  /** Null when no browser requested the link, so that there is no page to enter a code. */
  readonly code: string | null;
  /** How long the link and the code work. */
  readonly minutes: number;
  readonly email: string;
  /** The URL of the site. */
  readonly origin: string;
}

export interface InvitationEmail {
  /** The URL of the login page. */
  readonly url: string;
  /** The name of the inviting operator; null for an invitation from the command line or a program. */
  readonly inviter: string | null;
  /** The title of the site that the operator is invited to. */
  readonly siteTitle: string;
  readonly email: string;
  /** The URL of Gatehouse. */
  readonly origin: string;
}

export interface MemberInvitationEmail {
  /** The link. */
  readonly url: string;
  /** Until when it works. */
  readonly expiresAt: Timestamp;
  /** Of the site. */
  readonly timeZone: string;
  readonly email: string;
  /** The URL of the site. */
  readonly origin: string;
}

export interface SessionLimitEmail {
  /** The URL of the page on which members see their sessions. */
  readonly url: string;
  readonly email: string;
  /** The URL of the site. */
  readonly origin: string;
}

/** To the new address of a member. */
export interface AddressCodeEmail {
  /** Null when the address belongs to another member. */
  readonly code: string | null;
  /** How long the code works. */
  readonly minutes: number;
  readonly email: string;
  /** The URL of the site. */
  readonly origin: string;
}

/** To the former address of a member. */
export interface AddressChangedEmail {
  /** The link that takes the change back. */
  readonly url: string;
  /** How long it works. */
  readonly days: number;
  readonly email: string;
  /** The URL of the site. */
  readonly origin: string;
}

/** To a member. */
export interface PasskeyEmail {
  readonly notice: PasskeyNotice;
  /** The URL of the page on which members see their passkeys. */
  readonly url: string;
  readonly email: string;
  /** The URL of the site. */
  readonly origin: string;
}

/** To a member. */
export interface AccountLinkedEmail {
  /** The name of the login provider. */
  readonly provider: string;
  /** The URL of the page on which members see their accounts. */
  readonly url: string;
  readonly email: string;
  /** The URL of the site. */
  readonly origin: string;
}

/** To an operator who tests the mail server. */
export interface MailTestEmail {
  readonly email: string;
  /** The URL of Gatehouse. */
  readonly origin: string;
}

export type PasskeyNotice =
  | { readonly type: 'new_passkey'; readonly name: string }
  /** Without a name: every passkey was removed. */
  | { readonly type: 'passkey_removed'; readonly name: string | null };

export interface WebhookDisabledEmail {
  /** The URL of the page with the webhooks. */
  readonly url: string;
  /** The host of the receiver. */
  readonly host: string;
  readonly reason: 'gone' | 'failing';
  readonly siteTitle: string;
  readonly email: string;
  /** The URL of Gatehouse. */
  readonly origin: string;
}

export interface PageCodesPausedEmail {
  /** The URL of the page with the page codes. */
  readonly url: string;
  readonly siteTitle: string;
  readonly email: string;
  /** The URL of Gatehouse. */
  readonly origin: string;
}

export interface JoinRequestsEmail {
  /** The URL of the page with the requests to join. */
  readonly url: string;
  /** How many people have asked since the last email. */
  readonly count: number;
  readonly siteTitle: string;
  readonly email: string;
  /** The URL of Gatehouse. */
  readonly origin: string;
}

export interface JoinDecisionEmail {
  readonly isApproved: boolean;
  /** The URL of the login page. */
  readonly url: string;
  readonly email: string;
  /** The URL of the site. */
  readonly origin: string;
}

export interface OperatorNoticeEmail {
  readonly notice: OperatorNotice;
  /** The URL of the page on which operators see their sessions and passkeys. */
  readonly url: string;
  readonly email: string;
  /** The URL of Gatehouse. */
  readonly origin: string;
}

/** The news that an operator gets about the own account. */
export type OperatorNotice =
  | { readonly type: 'new_passkey'; readonly name: string }
  | {
      readonly type: 'new_browser';
      readonly userAgent: string | null;
      readonly ipAddress: string | null;
    };

/** The content of an email: a one-line subject, and the body as plain text and as HTML. */
export interface ComposedEmail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Writes emails in the language of their recipients. Their design is outside of the domain. */
export interface EmailComposer {
  /** `subjectWithoutCode` is for lists, which more users can read. */
  loginEmail(frame: EmailFrame, email: LoginEmail): ComposedEmail & { readonly subjectWithoutCode: string };
  invitationEmail(frame: EmailFrame, email: InvitationEmail): ComposedEmail;
  memberInvitationEmail(frame: EmailFrame, email: MemberInvitationEmail): ComposedEmail;
  sessionLimitEmail(frame: EmailFrame, email: SessionLimitEmail): ComposedEmail;
  operatorNoticeEmail(frame: EmailFrame, email: OperatorNoticeEmail): ComposedEmail;
  pageCodesPausedEmail(frame: EmailFrame, email: PageCodesPausedEmail): ComposedEmail;
  webhookDisabledEmail(frame: EmailFrame, email: WebhookDisabledEmail): ComposedEmail;
  joinRequestsEmail(frame: EmailFrame, email: JoinRequestsEmail): ComposedEmail;
  joinDecisionEmail(frame: EmailFrame, email: JoinDecisionEmail): ComposedEmail;
  passkeyEmail(frame: EmailFrame, email: PasskeyEmail): ComposedEmail;
  accountLinkedEmail(frame: EmailFrame, email: AccountLinkedEmail): ComposedEmail;
  mailTestEmail(frame: EmailFrame, email: MailTestEmail): ComposedEmail;
  addressCodeEmail(frame: EmailFrame, email: AddressCodeEmail): ComposedEmail;
  addressChangedEmail(frame: EmailFrame, email: AddressChangedEmail): ComposedEmail;
}

/** The composer and the limits, needed to send an email. */
export interface EmailContext {
  readonly composer: EmailComposer;
  readonly limits: EmailLimits;
}
