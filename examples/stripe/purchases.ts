import Stripe from 'stripe';
import type { Settings } from './settings.ts';

/** What a purchase gives: the id of an access group, or `paid`. */
export type Grant = string;

/** The part of a customer that this program reads. */
export type Customer = Pick<Stripe.Customer, 'id' | 'email' | 'name' | 'metadata'>;

/** With `past_due`, Stripe still tries to collect the payment; the guide says what to set there, so that this ends. */
const currentStatuses: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due']);

/** The customer as it is now; undefined if it was deleted. */
export async function findCustomer({ stripe }: Settings, customerId: string): Promise<Customer | undefined> {
  const customer = await stripe.customers.retrieve(customerId);
  return customer.deleted ? undefined : customer;
}

/** What the present purchases of a customer give. Other prices than those of the settings give nothing. */
export async function grantsOf(settings: Settings, customerId: string): Promise<ReadonlySet<Grant>> {
  const grants = new Set<Grant>();
  for await (const priceId of currentPrices(settings, customerId)) {
    const groupIds = settings.groupsOfPrices.get(priceId);
    if (groupIds) for (const grant of ['paid', ...groupIds]) grants.add(grant);
  }
  return grants;
}

async function* currentPrices({ stripe }: Settings, customer: string): AsyncGenerator<string> {
  for await (const { id, status, items } of stripe.subscriptions.list({ customer, limit: 100 })) {
    if (!currentStatuses.has(status)) continue;
    const all = items.has_more ? stripe.subscriptionItems.list({ subscription: id, limit: 100 }) : items.data;
    for await (const { price } of all) yield price.id;
  }
  const expand = ['data.line_items', 'data.payment_intent.latest_charge'];
  const sessions = stripe.checkout.sessions.list({ customer, status: 'complete', expand, limit: 100 });
  for await (const session of sessions) {
    if (session.mode !== 'payment' || !isPaid(session)) continue;
    const lines = session.line_items;
    const all = lines?.has_more
      ? stripe.checkout.sessions.listLineItems(session.id, { limit: 100 })
      : (lines?.data ?? []);
    for await (const { price } of all) if (price) yield price.id;
  }
}

/** Whether a single payment has arrived and was not refunded in full. */
function isPaid({ payment_status: status, payment_intent: intent }: Stripe.Checkout.Session): boolean {
  const charge = typeof intent === 'object' ? intent?.latest_charge : undefined;
  return status !== 'unpaid' && !(typeof charge === 'object' && charge?.refunded);
}

/**
 * All customers who pay for a member: those that are linked to the member, and those with the address who are linked to
 * no one. One person can be several customers, as most payment links create a customer for each purchase.
 *
 * The address of a customer who is linked to the member already counts for nothing, as Stripe does not verify it: with
 * that of another person, the member would get what the other one pays for.
 */
export async function customersOf(
  settings: Settings,
  customer: Customer | undefined,
  member: { readonly id: string; readonly email: string } | undefined,
): Promise<Customer[]> {
  const { stripe } = settings;
  const found = new Map(customer && [[customer.id, customer]]);
  const isLinked = member !== undefined && customer !== undefined && linkOf(customer) === member.id;
  for (const email of new Set([isLinked ? undefined : customer?.email, member?.email])) {
    if (!email) continue;
    for await (const each of stripe.customers.list({ email, limit: 100 })) found.set(each.id, each);
  }
  for (const id of member ? await linkedTo(settings, member.id) : []) {
    // The index of the search is up to a minute old.
    const each = found.get(id) ?? (await findCustomer(settings, id));
    if (each) found.set(id, each);
  }
  return [...found.values()].filter(
    (each) => each.id === customer?.id || [undefined, member?.id].includes(linkOf(each)),
  );
}

/** The ids of the customers that are linked to a member, as far as Stripe's search is available to this account. */
async function linkedTo({ stripe }: Settings, memberId: string): Promise<readonly string[]> {
  const query = `metadata['${linkKey}']:'${memberId}'`;
  const ids: string[] = [];
  try {
    for await (const { id } of stripe.customers.search({ query, limit: 100 })) ids.push(id);
  } catch (error) {
    // So it answers where there is no search, such as in India. There is nothing else in this request to reject.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 400)) throw error;
    console.error(`without the search of Stripe, by email address alone: ${error.message}`);
  }
  return ids;
}

// What this program has to remember is stored in the metadata of the customer, so it needs no database: the member, and
// what the purchases have given to the member, who may have other groups from elsewhere.

const prefix = 'gh_';
const linkKey = `${prefix}member`;

/** Stored instead of the id of a member who is about to be created. */
export const newMember = 'new';

/** Metadata with another value is not of this program. */
const recipient = new RegExp(`^(?:${newMember}|[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12})$`);

/** The member that a customer is linked to. */
export function linkOf({ metadata }: Customer): string | undefined {
  return metadata[linkKey];
}

/** What was given because of this customer, each with the id of the member who got it. */
export function givenOf({ metadata }: Customer): [Grant, string][] {
  const entries = Object.entries(metadata).filter(
    ([key, value]) => key.startsWith(prefix) && key !== linkKey && recipient.test(value),
  );
  return entries.map(([key, memberId]) => [key.slice(prefix.length), memberId]);
}

/** Stores the member and what they were given, or are about to be. */
export async function remember(
  { stripe }: Settings,
  { id }: Customer,
  memberId: string | undefined,
  grants: Iterable<Grant>,
): Promise<void> {
  const given = Object.fromEntries([...grants].map((grant) => [prefix + grant, memberId ?? newMember]));
  await stripe.customers.update(id, {
    metadata: { ...given, ...(memberId !== undefined && { [linkKey]: memberId }) },
  });
}

/** Removes what is no longer given. */
export async function clearGiven(
  { stripe }: Settings,
  { id }: Customer,
  grants: Iterable<Grant>,
): Promise<void> {
  const metadata = Object.fromEntries([...grants].map((grant) => [prefix + grant, '']));
  await stripe.customers.update(id, { metadata });
}
