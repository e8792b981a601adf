/** What a mail says, in both its forms. */
export interface MailContent {
  /** Who it comes from, as people call it: the title of the site. */
  readonly fromName: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface NewMail {
  readonly kind: 'login_link';
  /** One address in its one form. */
  readonly recipient: string;
  readonly memberId: string | null;
  readonly loginLinkId: string | null;
  readonly content: MailContent;
}

export interface MailRow {
  id: string;
  recipient: string;
  login_link_id: string | null;
  content: string;
  attempts: number;
  created_at: string;
}
