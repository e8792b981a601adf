import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aScopeGroupOfList } from '../contract/given.ts';
import { effort } from '../effort.ts';
import { randomNumbers, seed } from '../seed.ts';
import { forOneStore } from '../stores.ts';
import type { TestResponse } from '../test-server.ts';
import { useTestServer } from '../use-server.ts';
import { type Buyer, type Shop, startShop } from './stripe-shop.ts';

forOneStore((store) => {
  const server = useTestServer(store);
  let shop: Shop;
  beforeAll(async () => {
    shop = await startShop(server);
  });
  afterAll(() => shop?.stop());

  async function aPayingMember(): Promise<Buyer> {
    const buyer = shop.aBuyer();
    shop.subscribe(buyer);
    expect((await shop.deliver('customer-subscription-created', buyer)).status).toBe(200);
    return buyer;
  }

  /** With an event that was not delivered. */
  function deleteCustomer({ customerId, subscriptionId }: Buyer, daysAgo: number): void {
    const last = structuredClone(shop.stripe.customers.get(customerId)!);
    shop.stripe.customers.set(customerId, { id: customerId, object: 'customer', deleted: true });
    shop.stripe.subscriptions.get(subscriptionId)!.status = 'canceled';
    const event = { id: `evt_${customerId}`, object: 'event', type: 'customer.deleted', livemode: false };
    const created = Math.floor(Date.now() / 1_000) - daysAgo * 86_400;
    shop.stripe.events.push({ ...event, created, data: { object: last } });
  }

  test('two processes that get events of the same member at the same time agree in the end', async () => {
    const address = await shop.startAnother();
    const random = randomNumbers();
    for (let run = 0; run < 2 * effort.raceRounds; run += 1) {
      const first = await aPayingMember();
      const both = [first, shop.aBuyer({ email: first.email })];
      shop.subscribe(both[1]!);
      const answers: Promise<TestResponse>[] = [];
      for (let step = 0; step < 6; step += 1) {
        const buyer = both[Math.floor(random() * 2)]!;
        shop.stripe.subscriptions.get(buyer.subscriptionId)!.status = random() < 0.5 ? 'active' : 'canceled';
        answers.push(shop.deliver('customer-subscription-updated', buyer));
        answers.push(shop.deliver('customer-subscription-updated', buyer, { address }));
        await setTimeout(random() * 30);
      }
      for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
      const subscriptions = both.map(({ subscriptionId }) => shop.stripe.subscriptions.get(subscriptionId)!);
      const paid = subscriptions.some(({ status }) => status === 'active');
      const groups = paid ? [shop.groups.members] : [];
      expect(await shop.memberOf(first.email), `seed ${seed}, run ${run}`).toMatchObject({ paid, groups });
      // What was given is still known, so it ends with the last subscription.
      for (const subscription of subscriptions) subscription.status = 'canceled';
      for (const buyer of both) await shop.deliver('customer-subscription-deleted', buyer);
      expect(await shop.memberOf(first.email)).toMatchObject({ paid: false, groups: [] });
    }
  });

  describe('the settings', () => {
    test.each([
      ['without a setting', { STRIPE_WEBHOOK_SECRET: '' }, /Set STRIPE_WEBHOOK_SECRET/],
      ['with groups that are no JSON', { GROUPS_OF_PRICES: 'price_1=a' }, /GROUPS_OF_PRICES must be JSON/],
      [
        'with a group that does not exist',
        { GROUPS_OF_PRICES: '{"price_1": "01980a3e-7c22-7e0f-a417-90b8c6d5e4f3"}' },
        /GROUPS_OF_PRICES, 01980a3e-7c22-7e0f-a417-90b8c6d5e4f3: /,
      ],
    ])('the program does not start %s', async (_, values, message) => {
      const { code, output } = await shop.run('server.ts', values);
      expect([code, output]).toEqual([1, expect.stringMatching(message)]);
    });

    test('the program does not start with a scope group', async () => {
      const scope = await aScopeGroupOfList(shop.site, 'Board', [{ email: 'ada@example.com' }]);
      const GROUPS_OF_PRICES = JSON.stringify({ price_1: scope.id });
      const { code, output } = await shop.run('server.ts', { GROUPS_OF_PRICES });
      expect([code, output]).toEqual([1, expect.stringContaining('Use a custom group')]);
    });
  });

  describe('sync.ts', () => {
    test('brings members to the state at Stripe without any event, and again changes nothing', async () => {
      const [ended, deleted, early] = [await aPayingMember(), await aPayingMember(), shop.aBuyer()];
      shop.buyOnce(early);
      shop.stripe.subscriptions.get(ended.subscriptionId)!.status = 'canceled';
      const restored = await aPayingMember();
      deleteCustomer(deleted, 1);
      deleteCustomer(restored, 3);

      const { code, output } = await shop.run('sync.ts');
      expect([code, output]).toEqual([0, expect.stringContaining(`${early.customerId}: updated`)]);
      expect(await shop.memberOf(ended.email)).toMatchObject({ paid: false, groups: [] });
      expect(await shop.memberOf(deleted.email)).toMatchObject({ paid: false, groups: [] });
      // Of an event of long ago, an operator may have given everything back.
      expect(await shop.memberOf(restored.email)).toMatchObject({
        paid: true,
        groups: [shop.groups.members],
      });
      expect(await shop.memberOf(early.email)).toMatchObject({ paid: true, groups: [shop.groups.course] });

      const before = (await shop.site.get('/events?limit=1')).body.data[0].id;
      expect((await shop.run('sync.ts')).code).toBe(0);
      expect((await shop.site.get('/events?limit=1')).body.data[0].id).toBe(before);
    });

    test('goes on after a customer that fails, and ends with an error', async () => {
      const [first, second] = [shop.aBuyer({ email: 'not an address' }), shop.aBuyer()];
      for (const buyer of [first, second]) shop.subscribe(buyer);
      const { code, output } = await shop.run('sync.ts');
      expect([code, output]).toEqual([1, expect.stringContaining(`${first.customerId} failed: `)]);
      expect(await shop.memberOf(second.email)).toMatchObject({ paid: true, groups: [shop.groups.members] });
    });
  });
});
