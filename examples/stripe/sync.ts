// Brings every member to the present state at Stripe: once for the customers of before, and then once a day, for events
// that have not arrived.

import { handleEvent } from './events.ts';
import { updateMember } from './membership.ts';
import { readSettings } from './settings.ts';

const settings = await readSettings();
const { stripe } = settings;
let failures = 0;

/** Of older events, what an operator has given back since would be taken back again. */
const maxEventAgeSeconds = 2 * 86_400;
const created = { gte: Math.floor(Date.now() / 1_000) - maxEventAgeSeconds };
const lost = { type: 'customer.deleted', delivery_success: false, created, limit: 100 } as const;
for await (const event of stripe.events.list(lost)) {
  await report(event.id, () => handleEvent(settings, event));
}
for (const customerId of await everyBuyer()) {
  await report(customerId, () => updateMember(settings, customerId));
}
process.exitCode = failures === 0 ? 0 : 1;

async function everyBuyer(): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const { customer } of stripe.subscriptions.list({ status: 'all', limit: 100 })) {
    ids.add(typeof customer === 'string' ? customer : customer.id);
  }
  for await (const { mode, customer } of stripe.checkout.sessions.list({ status: 'complete', limit: 100 })) {
    if (mode === 'payment' && customer) ids.add(typeof customer === 'string' ? customer : customer.id);
  }
  return ids;
}

async function report(id: string, work: () => Promise<string>): Promise<void> {
  try {
    console.log(`${id}: ${await work()}`);
  } catch (error) {
    failures += 1;
    console.error(`${id} failed: ${error instanceof Error ? error.message : error}`);
  }
}
