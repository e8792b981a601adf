/** How many emails may be sent in an hour. 0 is no limit. */
export interface EmailLimits {
  /** Emails of one kind into one mailbox. */
  readonly mailbox: number;
  /** Login links and invitations of one sender to one person, of each kind. */
  readonly sender: number;
  /** Emails of a site to people who are not members yet. */
  readonly signUp: number;
  /** Of these, emails into one mailbox. */
  readonly signUpMailbox: number;
}
