/** The maximum numbers of emails per hour. 0 means no limit. */
export interface EmailLimits {
  /** Emails of one kind to one mailbox. */
  readonly mailbox: number;
  /** Login links and invitations from one sender to one person, for each kind. */
  readonly sender: number;
  /** Emails of a site to addresses that are not members yet. */
  readonly signUp: number;
  /** The part of these that may go to one mailbox. */
  readonly signUpMailbox: number;
}
