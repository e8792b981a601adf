import type { IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { aMember, everyItem } from '../contract/given.ts';
import { randomNumbers } from '../seed.ts';
import { forOneStore } from '../stores.ts';
import { useTestServer } from '../use-server.ts';
import { type Buyer, prices, type Shop, startShop } from './stripe-shop.ts';

/** The events of a subscription from the first payment to the end. */
const wholeLife = [
  'checkout-session-completed',
  'customer-subscription-created',
  'invoice-paid',
  'customer-subscription-updated',
  'invoice-payment-failed',
  'customer-updated',
  'customer-subscription-deleted',
];

/** The events of a member who is created with a group. */
const created = ['member.created', 'access-group.member.added'];

forOneStore((store) => {
  const server = useTestServer(store);
  let shop: Shop;
  beforeAll(async () => {
    shop = await startShop(server);
  });
  afterEach(() => {
    shop.stripe.failure = undefined;
    shop.stripe.afterwards = undefined;
    shop.network.failure = undefined;
  });
  afterAll(() => shop?.stop());

  /** The types of the events of a member, in any order. */
  async function eventsOf(memberId: string): Promise<string[]> {
    const events = await everyItem(shop.site, `/events?memberId=${memberId}`);
    return events.map(({ type }) => type);
  }

  const metadataOf = ({ customerId }: Buyer) => shop.stripe.customers.get(customerId)!.metadata;
  const end = (buyer: Buyer, status = 'canceled') => {
    shop.stripe.subscriptions.get(buyer.subscriptionId)!.status = status;
  };

  async function aPayingMember(values: { email?: string } = {}): Promise<Buyer> {
    const buyer = shop.aBuyer(values);
    shop.subscribe(buyer);
    expect((await shop.deliver('customer-subscription-created', buyer)).status).toBe(200);
    return buyer;
  }

  describe('a subscription', () => {
    test('creates the member with the group of its price, paid, with the name of the customer', async () => {
      const buyer = shop.aBuyer();
      shop.subscribe(buyer);
      const answer = await shop.deliver('checkout-session-completed', buyer);
      expect([answer.status, answer.text]).toEqual([200, 'updated\n']);
      const member = (await shop.memberOf(buyer.email))!;
      expect(member).toMatchObject({ paid: true, groups: [shop.groups.members] });
      expect((await shop.site.get(`/members/${member.id}`)).body.data.displayName).toBe('Ada Lovelace');
      expect(metadataOf(buyer)).toEqual({
        gh_member: member.id,
        gh_paid: member.id,
        [`gh_${shop.groups.members}`]: member.id,
      });
    });

    test('ends with everything that it gave, and the member stays', async () => {
      const buyer = await aPayingMember();
      const { id } = (await shop.memberOf(buyer.email))!;
      end(buyer);
      expect((await shop.deliver('customer-subscription-deleted', buyer)).text).toBe('updated\n');
      expect(await shop.memberOf(buyer.email)).toEqual({ id, paid: false, groups: [] });
      expect(metadataOf(buyer)).toEqual({ gh_member: id });
    });

    test.each([
      ['past_due', true],
      ['trialing', true],
      ['unpaid', false],
      ['paused', false],
      ['incomplete_expired', false],
    ])('with the status %s: access is %s', async (status, paid) => {
      const buyer = await aPayingMember();
      end(buyer, status);
      await shop.deliver('customer-subscription-updated', buyer);
      expect(await shop.memberOf(buyer.email)).toMatchObject({
        paid,
        groups: paid ? [shop.groups.members] : [],
      });
    });

    test('that changes to another price changes the groups', async () => {
      const buyer = await aPayingMember();
      shop.subscribe(buyer, [prices.bundle]);
      await shop.deliver('customer-subscription-updated', buyer);
      const groups = [shop.groups.course, shop.groups.extra].sort();
      expect(await shop.memberOf(buyer.email)).toMatchObject({ paid: true, groups });
    });

    test('for a price without groups marks the member as paid', async () => {
      const buyer = shop.aBuyer();
      shop.subscribe(buyer, [prices.paidOnly]);
      await shop.deliver('customer-subscription-created', buyer);
      expect(await shop.memberOf(buyer.email)).toMatchObject({ paid: true, groups: [] });
      end(buyer);
      await shop.deliver('customer-subscription-deleted', buyer);
      expect(await shop.memberOf(buyer.email)).toMatchObject({ paid: false, groups: [] });
    });

    test('is found among several, and an item among many', async () => {
      const buyer = shop.aBuyer();
      for (let index = 0; index < 5; index += 1) {
        const subscriptionId = `${buyer.subscriptionId}${index}`;
        const items =
          index === 4 ? [prices.other, prices.other, prices.other, prices.membership] : [prices.other];
        shop.subscribe({ ...buyer, subscriptionId }, items);
      }
      await shop.deliver('customer-subscription-created', buyer);
      expect(await shop.memberOf(buyer.email)).toMatchObject({ groups: [shop.groups.members] });
    });
  });

  describe('events', () => {
    test.each(['active', 'canceled'])('in any order and twice end in the same: %s', async (status) => {
      const random = randomNumbers();
      for (let run = 0; run < 5; run += 1) {
        const buyer = await aPayingMember();
        const member = (await shop.memberOf(buyer.email))!;
        end(buyer, status);
        const names = [...wholeLife, ...wholeLife]
          .map((name) => ({ name, position: random() }))
          .sort((a, b) => a.position - b.position)
          .map(({ name }) => name);
        const answers = await Promise.all(names.map((name) => shop.deliver(name, buyer)));
        expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
        const isActive = status === 'active';
        expect(await shop.memberOf(buyer.email)).toEqual({
          id: member.id,
          paid: isActive,
          groups: isActive ? [shop.groups.members] : [],
        });
        // Nothing was changed twice, and nothing back and forth.
        const ended = isActive ? [] : ['access-group.member.removed', 'member.updated'];
        expect((await eventsOf(member.id)).sort()).toEqual([...created, ...ended].sort());
      }
    });

    test('that come together create one member', async () => {
      const buyer = shop.aBuyer();
      shop.subscribe(buyer);
      await Promise.all(wholeLife.map((name) => shop.deliver(name, buyer)));
      const { id } = (await shop.memberOf(buyer.email))!;
      expect((await eventsOf(id)).sort()).toEqual(created.toSorted());
    });

    test.each(wholeLife)('one is enough when all others are lost: %s', async (name) => {
      const buyer = shop.aBuyer();
      shop.subscribe(buyer);
      await shop.deliver(name, buyer);
      expect(await shop.memberOf(buyer.email)).toMatchObject({ paid: true, groups: [shop.groups.members] });
      end(buyer);
      await shop.deliver(name, buyer);
      expect(await shop.memberOf(buyer.email)).toMatchObject({ paid: false, groups: [] });
    });

    test('what changes at Stripe while an event is handled is not overwritten', async () => {
      const buyer = shop.aBuyer();
      shop.subscribe(buyer);
      // The subscription ends after it was read, and before anything was changed.
      shop.stripe.afterwards = ({ path }) => {
        if (path === '/v1/subscriptions') end(buyer);
      };
      expect((await shop.deliver('customer-subscription-created', buyer)).status).toBe(200);
      expect(await shop.memberOf(buyer.email)).toMatchObject({ paid: false, groups: [] });
      expect(await eventsOf((await shop.memberOf(buyer.email))!.id)).toContain('member.created');
    });

    test('what was given is taken back also if another process has cleared the record meanwhile', async () => {
      const buyer = shop.aBuyer();
      await aMember(shop.site, { email: buyer.email });
      shop.subscribe(buyer);
      let cleared = false;
      // As if another process had seen the end of the subscription, and nothing yet to take back.
      shop.stripe.afterwards = ({ method }) => {
        if (method !== 'POST' || cleared) return;
        cleared = true;
        end(buyer);
        shop.stripe.customers.get(buyer.customerId)!.metadata = {};
      };
      expect((await shop.deliver('customer-subscription-created', buyer)).status).toBe(200);
      expect(cleared).toBe(true);
      expect(await shop.memberOf(buyer.email)).toMatchObject({ paid: false, groups: [] });
    });
  });

  describe('an outage', () => {
    test.each([
      ['500', 500],
      ['a limit', 429],
    ])('of Stripe (%s) is answered with 500, and the same event again succeeds', async (_, status) => {
      const buyer = shop.aBuyer();
      shop.subscribe(buyer);
      shop.stripe.failure = ({ path }) => (path === '/v1/subscriptions' ? status : undefined);
      const answer = await shop.deliver('customer-subscription-created', buyer);
      expect([answer.status, answer.text]).toEqual([500, expect.stringContaining('see the log')]);
      expect(await shop.memberOf(buyer.email)).toBeUndefined();
      shop.stripe.failure = undefined;
      expect((await shop.deliver('customer-subscription-created', buyer)).text).toBe('updated\n');
      expect(await shop.memberOf(buyer.email)).toMatchObject({ paid: true });
    });

    test('of Gatehouse at any moment leaves nothing half done after the next attempt', async () => {
      const buyer = shop.aBuyer();
      await aMember(shop.site, { email: buyer.email });
      shop.subscribe(buyer, [prices.bundle]);
      const isChange = ({ method, url }: IncomingMessage) =>
        method !== 'GET' && !url!.endsWith('/members/lookup');
      for (const [name, paid] of [
        ['customer-subscription-created', true],
        ['customer-subscription-deleted', false],
      ] as const) {
        if (!paid) end(buyer);
        // Each attempt gets one change further than the one before.
        for (let allowed = 0; ; allowed += 1) {
          let left = allowed;
          shop.network.failure = (request) => isChange(request) && left-- <= 0;
          const { status } = await shop.deliver(name, buyer);
          if (status === 200) break;
          expect([status, allowed < 4]).toEqual([500, true]);
        }
        const groups = paid ? [shop.groups.course, shop.groups.extra].sort() : [];
        expect(await shop.memberOf(buyer.email)).toMatchObject({ paid, groups });
      }
    });

    test('of Stripe while it stores what was given does not leave groups that nobody takes back', async () => {
      const buyer = shop.aBuyer();
      await aMember(shop.site, { email: buyer.email });
      shop.subscribe(buyer);
      shop.stripe.failure = ({ method }) => (method === 'POST' ? 500 : undefined);
      expect((await shop.deliver('invoice-paid', buyer)).status).toBe(500);
      expect(await shop.memberOf(buyer.email)).toMatchObject({ paid: false, groups: [] });
    });
  });
});
