import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventTypes } from '../../../examples/stripe/events.ts';
import { aMember, everyItem } from '../contract/given.ts';
import { forOneStore } from '../stores.ts';
import { useTestServer } from '../use-server.ts';
import { type Buyer, prices, type Shop, startShop } from './stripe-shop.ts';

test('the guide names the events that the program handles', () => {
  const guide = readFileSync(new URL('../../../docs/guides/integrations/stripe.md', import.meta.url), 'utf8');
  const [, list] = /```text\n([\s\S]*?)```/.exec(guide)!;
  expect(list!.trim().split(/\s+/).sort()).toEqual([...eventTypes].sort());
});

forOneStore((store) => {
  const server = useTestServer(store);
  let shop: Shop;
  beforeAll(async () => {
    shop = await startShop(server);
  });
  afterAll(() => shop?.stop());

  /** The types of the events of a member, in any order. */
  async function eventsOf(memberId: string): Promise<string[]> {
    const events = await everyItem(shop.site, `/events?memberId=${memberId}`);
    return events.map(({ type }) => type);
  }

  const end = (buyer: Buyer, status = 'canceled') => {
    shop.stripe.subscriptions.get(buyer.subscriptionId)!.status = status;
  };

  describe('an event that is not ours is answered with 200, and changes nothing:', () => {
    test.each([
      ['of another type', 'product-created', {}],
      ['of real payments, with a key for tests', 'invoice-paid', { livemode: true }],
      ['of a connected account', 'invoice-paid', { account: 'acct_1SPtn0LkdIwHu7ix' }],
    ])('%s', async (_, name, values) => {
      const buyer = shop.aBuyer();
      shop.subscribe(buyer);
      const before = shop.stripe.requests.length;
      const answer = await shop.deliver(name, buyer, { change: (event) => Object.assign(event, values) });
      expect([answer.status, answer.text]).toEqual([200, expect.stringMatching(/^ignored: /)]);
      expect(await shop.memberOf(buyer.email)).toBeUndefined();
      expect(shop.stripe.requests.length).toBe(before);
    });

    test('of another price', async () => {
      const buyer = shop.aBuyer();
      const member = await aMember(shop.site, { email: buyer.email, paid: true });
      shop.subscribe(buyer, [prices.other]);
      for (const status of ['active', 'canceled']) {
        end(buyer, status);
        expect((await shop.deliver('customer-subscription-updated', buyer)).text).toBe('nothing to give\n');
      }
      expect(await shop.memberOf(buyer.email)).toMatchObject({ paid: true, groups: [] });
      expect(await eventsOf(member.id)).toEqual(['member.created']);
    });

    test('of a purchase without a customer', async () => {
      const buyer = shop.aBuyer();
      const change = (event: { data: { object: { customer: null } } }) => {
        event.data.object.customer = null;
      };
      const answer = await shop.deliver('checkout-session-completed-once', buyer, {
        change: change as never,
      });
      expect(answer.text).toBe('ignored: without a customer\n');
    });
  });

  describe('a request that Stripe has not signed is answered with 400, and reads nothing:', () => {
    const now = () => Math.floor(Date.now() / 1_000);
    test.each([
      ['another secret', () => ({ secret: 'whsec_test_other' })],
      ['another body', () => ({ tamper: (body: string) => body.replace('cus_', 'cus_A') })],
      ['a space more', () => ({ tamper: (body: string) => `${body} ` })],
      ['a signature that is older than five minutes', () => ({ timestamp: now() - 310 })],
      ['no body', () => ({ tamper: () => '' })],
    ])('%s', async (_, options) => {
      const buyer = shop.aBuyer();
      shop.subscribe(buyer);
      const before = shop.stripe.requests.length;
      expect((await shop.deliver('invoice-paid', buyer, options())).status).toBe(400);
      expect(shop.stripe.requests.length).toBe(before);
      expect(await shop.memberOf(buyer.email)).toBeUndefined();
    });

    test('a signature of four minutes ago is accepted', async () => {
      const answer = await shop.deliver('invoice-paid', shop.aBuyer(), { timestamp: now() - 240 });
      expect(answer.status).toBe(200);
    });

    test('a body that is too large', async () => {
      const tamper = (body: string) => body + ' '.repeat(2 ** 21);
      expect((await shop.deliver('invoice-paid', shop.aBuyer(), { tamper })).status).toBe(413);
    });
  });
});
