import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import Stripe from 'stripe';
import { aGroup } from '../contract/given.ts';
import { freePort } from '../free-port.ts';
import { send, type TestResponse, type TestServer, type TestSite } from '../test-server.ts';
import { type StripeModel, type StripeObject, startStripeModel } from './stripe-model.ts';

/** The prices in the recorded events, and others. */
export const prices = {
  membership: 'price_1SPtq2LkdIwHu7ixAb9mEmb1',
  course: 'price_1SPtr7LkdIwHu7ixCd2nCrs4',
  bundle: 'price_1SPts9LkdIwHu7ixEf5pBdl8',
  paidOnly: 'price_1SPtu9LkdIwHu7ixIj1rPdo2',
  other: 'price_1SPtt3LkdIwHu7ixGh7qOth6',
};

const keys = { stripe: 'rk_test_51SPtn0LkdIwHu7ix', webhook: 'whsec_test_2mXvK8qLwT4nYzRc' };
const permissions = ['members:read', 'members:write', 'access-groups:read', 'access-groups:write'] as const;

/** The customer and the subscription in the recorded events. */
const recorded = {
  customerId: 'cus_TMc4Vq8sXhJ2ad',
  subscriptionId: 'sub_1SPuZkLkdIwHu7ixQm3cY8vD',
  email: 'ada@example.com',
};

/** A person who buys something: a customer at Stripe. */
export interface Buyer {
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly email: string;
}

export interface DeliveryOptions {
  /** Changes the event before it is signed. */
  change?: (event: StripeObject) => void;
  /** When it was signed, in seconds. */
  timestamp?: number;
  secret?: string;
  /** Another process than the first one. */
  address?: string;
  /** Changes the body after it was signed. */
  tamper?: (body: string) => string;
}

/** The example as its own process, with the model of Stripe and a site of Gatehouse. */
export interface Shop {
  readonly stripe: StripeModel;
  readonly site: TestSite;
  readonly groups: { members: string; course: string; extra: string };
  /** Between the program and Gatehouse. */
  readonly network: { failure: ((request: IncomingMessage) => boolean) | undefined };
  /** A new customer, by default with an address of its own. */
  aBuyer(values?: Partial<StripeObject>): Buyer;
  /** Gives a customer a subscription, as it was recorded. */
  subscribe(buyer: Buyer, priceIds?: readonly string[], values?: Partial<StripeObject>): StripeObject;
  /** Lets a customer buy something once. */
  buyOnce(buyer: Buyer, priceIds?: readonly string[]): StripeObject;
  /** Sends a recorded event as it would be for this customer. */
  deliver(name: string, buyer: Buyer, options?: DeliveryOptions): Promise<TestResponse>;
  /** Starts the program once more, and returns the address of that process. */
  startAnother(): Promise<string>;
  /** Runs another program of the example. */
  run(program: string, environment?: Record<string, string>): Promise<{ code: number; output: string }>;
  /** The groups of the member with this address and whether they have paid; undefined if there is none. */
  memberOf(email: string): Promise<{ id: string; paid: boolean; groups: string[] } | undefined>;
  stop(): Promise<void>;
}

const folder = new URL('../../../examples/stripe/', import.meta.url);
const pathOf = (program: string) => fileURLToPath(new URL(program, folder));

export function readRecorded(name: string): string {
  return readFileSync(new URL(`stripe-events/${name}.json`, import.meta.url), 'utf8');
}

export async function startShop(server: TestServer): Promise<Shop> {
  const site = await server.createSite();
  const [members, course, extra] = [await aGroup(site), await aGroup(site), await aGroup(site)];
  const groups = { members: members.id, course: course.id, extra: extra.id };
  const stripe = await startStripeModel(keys.stripe, Stripe.API_VERSION);
  const passing = await startPassing(server.address);
  const environment = {
    STRIPE_KEY: keys.stripe,
    STRIPE_WEBHOOK_SECRET: keys.webhook,
    STRIPE_API: stripe.url,
    GATEHOUSE_URL: passing.url,
    GATEHOUSE_KEY: (await site.createKey({ permissions: [...permissions] })).secret,
    GROUPS_OF_PRICES: JSON.stringify({
      [prices.membership]: groups.members,
      [prices.course]: groups.course,
      [prices.bundle]: [groups.course, groups.extra],
      [prices.paidOnly]: [],
    }),
  };
  const programs: ChildProcess[] = [];
  const start = async () => {
    const PORT = String(await freePort());
    const program = spawn(process.execPath, [pathOf('server.ts')], {
      env: { ...environment, PORT },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    programs.push(program);
    await ready(program);
    return `http://127.0.0.1:${PORT}/hooks/stripe`;
  };
  const address = await start();
  const shop: Shop = {
    stripe,
    site,
    groups,
    network: passing,
    ...customersOf(stripe),
    deliver: (name, buyer, options) => deliver(name, buyer, { address, ...options }),
    startAnother: start,
    run: (each, values) => run(each, { ...environment, ...values }),
    memberOf: (email) => memberOf(site, email),
    async stop() {
      for (const program of programs) program.kill();
      await Promise.all([stripe.stop(), passing.stop()]);
    },
  };
  return shop;
}

function customersOf(stripe: StripeModel): Pick<Shop, 'aBuyer' | 'subscribe' | 'buyOnce'> {
  return {
    aBuyer(values = {}) {
      const name = randomUUID().replaceAll('-', '');
      const ids = { customerId: `cus_${name.slice(0, 14)}`, subscriptionId: `sub_${name.slice(0, 24)}` };
      const buyer = { ...ids, email: values.email ?? `${name}@example.com` };
      const { object } = eventFor('customer-deleted', buyer).data;
      stripe.customers.set(buyer.customerId, { ...object, ...values });
      return buyer;
    },
    subscribe(buyer, priceIds = [prices.membership], values = {}) {
      const { object } = eventFor('customer-subscription-created', buyer).data;
      const [item] = object.items.data;
      object.items.data = priceIds.map((id, index) => ({
        ...item,
        id: `${item.id}${index}`,
        price: { ...item.price, id },
        plan: { ...item.plan, id },
      }));
      stripe.subscriptions.set(object.id, { ...object, ...values });
      return stripe.subscriptions.get(object.id)!;
    },
    buyOnce(buyer, priceIds = [prices.course]) {
      const { object } = eventFor('checkout-session-completed-once', buyer).data;
      const { object: charge } = eventFor('charge-refunded', buyer).data;
      const { price } = eventFor('customer-subscription-created', buyer).data.object.items.data[0];
      const data = priceIds.map((id, index) => ({
        id: `li_${index}`,
        object: 'item',
        quantity: 1,
        amount_total: 4_900,
        currency: 'eur',
        price: { ...price, id, type: 'one_time', recurring: null },
      }));
      const latest = { ...charge, amount_refunded: 0, refunded: false };
      const session: StripeObject = {
        ...object,
        id: `cs_test_${randomUUID().replaceAll('-', '')}`,
        line_items: { object: 'list', data },
        payment_intent: { id: object.payment_intent, object: 'payment_intent', latest_charge: latest },
      };
      stripe.sessions.set(session.id, session);
      return session;
    },
  };
}

/** The recorded event, with the ids and the address of this customer. */
function eventFor(name: string, { customerId, subscriptionId, email }: Buyer): StripeObject {
  const body = readRecorded(name)
    .replaceAll(recorded.customerId, customerId)
    .replaceAll(recorded.subscriptionId, subscriptionId)
    .replaceAll(recorded.email, email);
  return JSON.parse(body);
}

async function deliver(
  name: string,
  buyer: Buyer,
  { address = '', change, timestamp, secret = keys.webhook, tamper = (body) => body }: DeliveryOptions = {},
): Promise<TestResponse> {
  const event = eventFor(name, buyer);
  change?.(event);
  const payload = JSON.stringify(event, null, 2);
  const signed = { payload, secret, ...(timestamp !== undefined && { timestamp }) };
  const signature = Stripe.webhooks.generateTestHeaderString(signed);
  return send(address, 'POST', { body: tamper(payload), headers: { 'stripe-signature': signature } });
}

async function run(program: string, env: Record<string, string>): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [pathOf(program)], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code, output: output + errors };
}

/** Waits until the program listens. */
async function ready(program: ChildProcess): Promise<void> {
  let errors = '';
  program.stderr!.on('data', (chunk) => {
    errors += chunk;
  });
  const ended = once(program, 'exit').then(() => {
    throw new Error(`The program has ended: ${errors}`);
  });
  await Promise.race([once(program.stdout!, 'data'), ended]);
  ended.catch(() => undefined);
  program.stdout!.resume();
}

async function memberOf(site: TestSite, email: string): ReturnType<Shop['memberOf']> {
  const { body } = await site.post('/members/lookup', { emails: [email] });
  const [found] = body.data;
  return (
    found && {
      id: found.id,
      paid: found.paid,
      groups: found.accessGroups.map(({ id }: { id: string }) => id).sort(),
    }
  );
}

/** Passes requests on to Gatehouse, except those that are to fail: their connection ends without an answer. */
async function startPassing(target: string) {
  const { hostname, port } = new URL(target);
  const server = createServer((request, response) => {
    if (passing.failure?.(request)) return void request.socket.destroy();
    const { method, url: path, headers } = request;
    const onward = httpRequest({ hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const passing = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failure: undefined as Shop['network']['failure'],
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return passing;
}
