import type { Actor, EmailBudgetName, MailKind } from '@gatehouse/contract';
import { type Timestamp, timestampBefore } from '../base/clock.ts';
import type { EmailLimits } from '../base/email-limits.ts';
import { mailboxOf } from './mailbox.ts';

export const budgetMilliseconds = 60 * 60_000;

/** What an email counts against: so many in an hour. */
export interface EmailBudget {
  readonly name: EmailBudgetName;
  /** What tells budgets of one name apart. It is stored as a hash. */
  readonly subject: string;
  /** 0 for no limit. */
  readonly limit: number;
}

/** An email that is to be queued. */
export interface BudgetedEmail {
  /** When it was asked for: it counts in that hour. */
  readonly at: Timestamp;
  /** It is sent if each of them has something left. The narrower come first. */
  readonly budgets: readonly EmailBudget[];
  /** Whom it goes to; null for somebody who is not a member. */
  readonly memberId: string | null;
}

export interface LoginRequester {
  readonly email: string;
  /** Null for somebody who may sign up. */
  readonly memberId: string | null;
  /** The browser of the member that requests the link; null for one that has not logged in before. */
  readonly knownBrowserId: string | null;
}

/**
 * The budgets of a login link that somebody requests on the login page. What others use up never stops a known browser,
 * and what people who are not members use up stops no member. This is where a proof of work would move an email from
 * one budget to another.
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

/** The budgets of an email that a program or an operator sends to a person on purpose. */
export function sentEmailBudgets(
  kind: MailKind,
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

/** The beginning of the hour in which an email counts. */
export function hourOf(at: Timestamp): Timestamp {
  const time = Date.parse(at);
  return new Date(time - (time % budgetMilliseconds)).toISOString();
}

export function endOfHour(startsAt: Timestamp): Timestamp {
  return timestampBefore(startsAt, -budgetMilliseconds);
}
