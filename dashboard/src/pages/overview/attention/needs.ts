import type { FailedEmail, Overview } from '@gatehouse/client';

type Item<List> = List extends readonly (infer Each)[] ? Each : never;
export type FailingWebhook = Item<Overview['failingWebhooks']>;
export type WaitingSource = Item<Overview['waitingSources']>;

/** Something that a person has to see to. */
export type Need =
  | { readonly type: 'emails-delayed'; readonly count: number; readonly error: string }
  | { readonly type: 'email-failed'; readonly email: FailedEmail }
  | { readonly type: 'webhook'; readonly webhook: FailingWebhook }
  | { readonly type: 'source'; readonly source: WaitingSource }
  | { readonly type: 'join-requests'; readonly count: number }
  | { readonly type: 'emails-withheld'; readonly withheld: Overview['emailsWithheld'] }
  | { readonly type: 'no-mail-server'; readonly count: number }
  | { readonly type: 'memberships'; readonly count: number };

/**
 * What needs a person: what has failed first, then what waits for a decision, and then what is only to be known.
 * @param delay why emails that wait were not sent at once, if that is so
 */
export function needsOf(overview: Overview, delay: string | undefined): Need[] {
  const { emailsWaiting, emailsWithheld, failedEmails, failingWebhooks, pendingJoinRequests } = overview;
  const { setUp, endingMemberships } = overview;
  const sources = overview.waitingSources ?? [];
  const ofSource = (source: WaitingSource): Need => ({ type: 'source', source });
  const needs: (Need | false)[] = [
    delay !== undefined &&
      emailsWaiting > 0 && { type: 'emails-delayed', count: emailsWaiting, error: delay },
    ...(failedEmails ?? []).map((email) => ({ type: 'email-failed', email }) as const),
    ...(failingWebhooks ?? []).map((webhook) => ({ type: 'webhook', webhook }) as const),
    ...sources.filter((source) => !needsConfirmation(source)).map(ofSource),
    ...sources.filter(needsConfirmation).map(ofSource),
    (pendingJoinRequests ?? 0) > 0 && { type: 'join-requests', count: pendingJoinRequests! },
    emailsWithheld.length > 0 && { type: 'emails-withheld', withheld: emailsWithheld },
    !setUp.email && emailsWaiting > 0 && { type: 'no-mail-server', count: emailsWaiting },
    endingMemberships.soon > 0 && { type: 'memberships', count: endingMemberships.soon },
  ];
  return needs.filter((need) => need !== false);
}

export function needsConfirmation({ reason }: WaitingSource): boolean {
  return reason === 'confirmation_required';
}

/** A key that no other need of the same overview has. */
export function keyOf(need: Need): string {
  switch (need.type) {
    case 'email-failed':
      return need.email.id;
    case 'webhook':
      return need.webhook.id;
    case 'source':
      return need.source.id;
    default:
      return need.type;
  }
}
