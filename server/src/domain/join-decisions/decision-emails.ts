import type { EmailType, Member } from '@gatehouse/contract';
import { framesForMembers } from '../email-texts/email-texts.ts';
import { type BudgetedEmail, sentEmailBudgets } from '../emails/email-budget.ts';
import { lockEmailBudgets } from '../emails/email-budgets.ts';
import type { EmailContext } from '../emails/email-composer.ts';
import { queueNotice } from '../emails/emails.ts';
import type { Change } from '../events/change.ts';
import type { StoredJoinRequest } from '../join-requests/join-request.ts';
import { originOf } from '../sites/site.ts';
import { loginUrl } from '../sites/site-addresses.ts';
import { findSite } from '../sites/sites.ts';

type DecisionEmail = Extract<EmailType, 'join_request_approved' | 'join_request_declined'>;

/** A request that has been decided. */
interface DecidedRequest {
  readonly request: StoredJoinRequest;
  readonly memberId: string | null;
  /** Who has become a member. */
  readonly member?: Member;
}

/** Sends the emails about decisions. Those over the limits of a mailbox are left out: the decision counts all the same. */
export class DecisionEmails {
  readonly #change: Change;
  readonly #type: DecisionEmail;
  readonly #context: EmailContext;
  readonly #allowed: ReadonlySet<string>;

  private constructor(
    change: Change,
    type: DecisionEmail,
    context: EmailContext,
    allowed: ReadonlySet<string>,
  ) {
    this.#change = change;
    this.#type = type;
    this.#context = context;
    this.#allowed = allowed;
  }

  /** Counts the emails that may be sent. Call it after locking members, and before locking groups. */
  static async charge(
    change: Change,
    type: DecisionEmail,
    requests: readonly StoredJoinRequest[],
    context: EmailContext,
  ): Promise<DecisionEmails> {
    const { now } = change;
    const emailFor = ({ email, memberId }: StoredJoinRequest): BudgetedEmail => ({
      at: now,
      memberId,
      budgets: sentEmailBudgets(type, change.context.actor, email, context.limits),
    });
    const emails = requests.map((request) => ({ id: request.id, email: emailFor(request) }));
    const budgets = await lockEmailBudgets(
      change,
      emails.map(({ email }) => email),
    );
    const allowed = new Set<string>();
    for (const { id, email } of emails) {
      const usedUp = budgets.findUsedUp(email);
      if (usedUp) budgets.withhold(email, usedUp);
      else {
        budgets.charge(email);
        allowed.add(id);
      }
    }
    change.record(...(await budgets.save()));
    return new DecisionEmails(change, type, context, allowed);
  }

  /** Queues the emails about requests that have been decided, in the languages in which they were made. */
  async send(decided: readonly DecidedRequest[]): Promise<void> {
    const site = await findSite(this.#change);
    const origin = originOf(site);
    if (origin === null) return;
    const type = this.#type;
    const isApproved = type === 'join_request_approved';
    const frameFor = await framesForMembers(this.#change);
    for (const { request, memberId, member } of decided) {
      if (!this.#allowed.has(request.id)) continue;
      const { email, language, path } = request;
      const composed = this.#context.composer.joinDecisionEmail(
        member ? frameFor(site, language, member, 'own_request') : { site, language },
        { isApproved, url: loginUrl(site, path ?? '/'), email, origin },
      );
      await queueNotice(this.#change, { type, recipient: email, memberId }, site, composed);
    }
  }
}
