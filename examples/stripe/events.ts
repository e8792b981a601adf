import type Stripe from 'stripe';
import { type Buyer, updateMember } from './membership.ts';
import type { Settings } from './settings.ts';

/**
 * After these, what a customer has paid for may be different. Those of invoices say nothing that the others do not, but
 * they come each month, and so make good for an event that was lost.
 */
export const eventTypes: ReadonlySet<string> = new Set([
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'charge.refunded',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'invoice.paid',
  'invoice.payment_failed',
  'customer.updated',
  'customer.deleted',
]);

/**
 * Handles an event. Nothing of it counts except whose it is: events come in any order, several times, and late, so the
 * present state is read from Stripe.
 * @returns what it came to, for the log
 */
export async function handleEvent(settings: Settings, event: Stripe.Event): Promise<string> {
  if (!eventTypes.has(event.type)) return 'ignored: another type';
  if (event.livemode !== settings.livemode) return 'ignored: the key is for the other mode';
  if (event.account) return 'ignored: of a connected account';
  const buyer = buyerOf(event);
  if (buyer === undefined) return 'ignored: without a customer';
  return inTurn(typeof buyer === 'string' ? buyer : buyer.deleted.id, () => updateMember(settings, buyer));
}

function buyerOf(event: Stripe.Event): Buyer | undefined {
  // A deleted customer can no longer be read, and nothing comes after it.
  if (event.type === 'customer.deleted') return { deleted: event.data.object };
  if (event.type === 'customer.updated') return event.data.object.id;
  const { customer } = event.data.object as { customer?: string | { id: string } | null };
  return typeof customer === 'string' ? customer : customer?.id;
}

const lastOf = new Map<string, Promise<unknown>>();

/** Of the events of one customer, which often come together, one is handled after the other. */
async function inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  const result = (lastOf.get(key) ?? Promise.resolve()).then(work, work);
  lastOf.set(key, result);
  try {
    return await result;
  } finally {
    if (lastOf.get(key) === result) lastOf.delete(key);
  }
}
