import type { Actor, EmailBudgetName, EmailType } from '@gatehouse/contract';
import { type Timestamp, timestampAfter } from '../../base/clock.ts';
import { mailboxOf } from './mailbox.ts';

export const budgetMilliseconds = 60 * 60_000;

/** A limit on the number of emails per hour. */
export interface EmailBudget {
  readonly name: EmailBudgetName;
  /** Distinguishes budgets with the same name. It is stored as a hash. */
  readonly subject: string;
  /** 0 for no limit. */
  readonly limit: number;
}

/** An email to be queued. */
export interface BudgetedEmail {
  /** The time of the request; the email counts in that hour. */
  readonly at: Timestamp;
  /** The email is sent if every budget has something left. Narrower budgets come first. */
  readonly budgets: readonly EmailBudget[];
  /** The recipient; null if the recipient is not a member. */
  readonly memberId: string | null;
}

export interface LoginRequester {
  readonly email: string;
  /** Null for a visitor who may sign up. */
  readonly memberId: string | null;
  /**
   * The browser of the member that requests the link; null for a browser in which the member has not logged in before.
   */
  readonly knownBrowserId: string | null;
}

/**
 * The budgets of a login link requested on the login page. Emails requested in other browsers never use up the budget
 * of a known browser, and sign-up emails never use up a member's. A proof of work could be added here, to move an
 * email from one budget to another.
 */
export function loginRequestBudgets(
  { email, memberId, knownBrowserId }: LoginRequester,
  limits: EmailLimits,
): readonly EmailBudget[] {
  const mailbox = mailboxOf(email);
  if (memberId === null) {
    return [
      { name: 'mailbox', subject: `sign_up ${mailbox}`, limit: limits.signUpMailbox },
      { name: 'sign_up', subject: '', limit: limits.signUp },
    ];
  }
  if (knownBrowserId !== null) {
    return [{ name: 'known_browser', subject: knownBrowserId, limit: limits.mailbox }];
  }
  return [{ name: 'mailbox', subject: `login_request ${mailbox}`, limit: limits.mailbox }];
}

/**
 * The budgets of a code for the new address of a member. They are those of an address that is not a member's, whether
 * it is one or not, and one member cannot use them up for all.
 */
export function addressCodeBudgets(
  memberId: string,
  email: string,
  limits: EmailLimits,
): readonly EmailBudget[] {
  return [
    { name: 'sender', subject: `address_code member ${memberId}`, limit: limits.sender },
    ...loginRequestBudgets({ email, memberId: null, knownBrowserId: null }, limits),
  ];
}

/** The budgets of an email that a program or an operator sends deliberately. */
export function sentEmailBudgets(
  kind: EmailType,
  { type, id }: Actor,
  email: string,
  limits: EmailLimits,
): readonly EmailBudget[] {
  const mailbox = mailboxOf(email);
  return [
    { name: 'sender', subject: `${kind} ${type} ${id} ${mailbox}`, limit: limits.sender },
    { name: 'mailbox', subject: `${kind} ${mailbox}`, limit: limits.mailbox },
  ];
}

/** The start of the hour in which an email counts. */
export function hourOf(at: Timestamp): Timestamp {
  const time = Date.parse(at);
  return new Date(time - (time % budgetMilliseconds)).toISOString();
}

export function endOfHour(startsAt: Timestamp): Timestamp {
  return timestampAfter(startsAt, budgetMilliseconds);
}

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
