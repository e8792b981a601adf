import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aMember, aMembership, aScopeGroupOfList } from '../contract/given.ts';
import { forOneStore } from '../stores.ts';
import { useTestServer } from '../use-server.ts';
import { type Buyer, prices, type Shop, startShop } from './stripe-shop.ts';

forOneStore((store) => {
  const server = useTestServer(store);
  let shop: Shop;
  beforeAll(async () => {
    shop = await startShop(server);
  });
  afterAll(() => shop?.stop());

  const linkOf = ({ customerId }: Buyer) => shop.stripe.customers.get(customerId)!.metadata.gh_member;
  const end = (buyer: Buyer) => {
    shop.stripe.subscriptions.get(buyer.subscriptionId)!.status = 'canceled';
    return shop.deliver('customer-subscription-deleted', buyer);
  };

  async function aPayingMember(values: { email?: string } = {}): Promise<Buyer> {
    const buyer = shop.aBuyer(values);
    shop.subscribe(buyer);
    expect((await shop.deliver('customer-subscription-created', buyer)).status).toBe(200);
    return buyer;
  }

  const whole = () => ({ paid: true, groups: [shop.groups.members] });
  const elsewhere = () => ({ paid: true, accessGroupIds: [shop.groups.members] });

  describe('a member who was there before', () => {
    test('keeps the groups and the payment from elsewhere, whoever pays with the address and stops', async () => {
      const buyer = shop.aBuyer();
      const accessGroupIds = [shop.groups.members, shop.groups.extra];
      const { id } = await aMember(shop.site, { email: buyer.email, paid: true, accessGroupIds });
      shop.subscribe(buyer, [prices.membership, prices.course]);
      await shop.deliver('customer-subscription-created', buyer);
      const all = [...accessGroupIds, shop.groups.course].sort();
      expect(await shop.memberOf(buyer.email)).toEqual({ id, paid: true, groups: all });
      await end(buyer);
      expect(await shop.memberOf(buyer.email)).toEqual({ id, paid: true, groups: accessGroupIds.sort() });
    });

    test('gets a membership that would expire for as long as the subscription lasts', async () => {
      const buyer = shop.aBuyer();
      const { id } = await aMember(shop.site, { email: buyer.email });
      await aMembership(shop.site, shop.groups.members, id, new Date(Date.now() + 86_400_000).toISOString());
      shop.subscribe(buyer);
      await shop.deliver('customer-subscription-created', buyer);
      const path = `/access-groups/${shop.groups.members}/members/${id}`;
      expect((await shop.site.get(path)).body.data.expiresAt).toBeNull();
      await end(buyer);
      expect(await shop.memberOf(buyer.email)).toMatchObject({ paid: false, groups: [] });
    });

    test('stays blocked', async () => {
      const buyer = shop.aBuyer();
      const { id } = await aMember(shop.site, { email: buyer.email });
      await shop.site.patch(`/members/${id}`, { status: 'blocked' });
      shop.subscribe(buyer);
      await shop.deliver('customer-subscription-created', buyer);
      expect((await shop.site.get(`/members/${id}`)).body.data).toMatchObject({
        status: 'blocked',
        paid: true,
      });
    });

    test('stays in scope groups', async () => {
      const buyer = shop.aBuyer();
      const scope = await aScopeGroupOfList(shop.site, 'Team', [{ email: buyer.email }]);
      shop.subscribe(buyer);
      await shop.deliver('customer-subscription-created', buyer);
      expect((await shop.memberOf(buyer.email))!.groups).toEqual([scope.id, shop.groups.members].sort());
      await end(buyer);
      expect((await shop.memberOf(buyer.email))!.groups).toEqual([scope.id]);
    });

    test('and was deleted since is created again while the subscription lasts, not afterwards', async () => {
      const buyer = await aPayingMember();
      const { id } = (await shop.memberOf(buyer.email))!;
      await shop.site.delete(`/members/${id}`);
      await shop.deliver('invoice-paid', buyer);
      const again = (await shop.memberOf(buyer.email))!;
      expect(again).toMatchObject(whole());
      expect([again.id === id, linkOf(buyer)]).toEqual([false, again.id]);
      await shop.site.delete(`/members/${again.id}`);
      expect((await end(buyer)).status).toBe(200);
      expect(await shop.memberOf(buyer.email)).toBeUndefined();
    });
  });

  describe('two customers with the same address', () => {
    test.each([
      ['as written', (email: string) => email],
      ['in capital letters, once Stripe finds it', (email: string) => email.toUpperCase()],
    ])('(%s): while one of them pays, the member keeps what it gives', async (_, spelling) => {
      const first = await aPayingMember();
      const second = await aPayingMember({ email: spelling(first.email) });
      expect([await shop.memberOf(first.email), linkOf(second)]).toMatchObject([whole(), linkOf(first)]);
      await end(first);
      expect(await shop.memberOf(first.email)).toMatchObject(whole());
      await end(second);
      expect(await shop.memberOf(first.email)).toMatchObject({ paid: false, groups: [] });
    });

    test('the one that the search does not know yet counts too', async () => {
      const first = await aPayingMember();
      const second = await aPayingMember({ email: first.email });
      for (const { customerId } of [first, second]) shop.stripe.notIndexed.add(customerId);
      await end(first);
      expect(await shop.memberOf(first.email)).toMatchObject(whole());
    });

    test('where Stripe has no search, both are found by the address', async () => {
      shop.stripe.failure = ({ path }) => (path === '/v1/customers/search' ? 400 : undefined);
      try {
        const first = await aPayingMember();
        const second = await aPayingMember({ email: first.email });
        expect((await end(first)).status).toBe(200);
        expect(await shop.memberOf(first.email)).toMatchObject(whole());
        expect((await end(second)).status).toBe(200);
        expect(await shop.memberOf(first.email)).toMatchObject({ paid: false, groups: [] });
      } finally {
        shop.stripe.failure = undefined;
      }
    });

    test('who come at the same time are one member, and so when they go', async () => {
      for (let run = 0; run < 5; run += 1) {
        const first = shop.aBuyer();
        const both = [first, shop.aBuyer({ email: first.email })];
        for (const buyer of both) shop.subscribe(buyer);
        await Promise.all(both.map((buyer) => shop.deliver('customer-subscription-created', buyer)));
        const member = await shop.memberOf(first.email);
        expect([member, ...both.map(linkOf)]).toMatchObject([whole(), member!.id, member!.id]);
        await Promise.all(both.map(end));
        expect(await shop.memberOf(first.email)).toMatchObject({ paid: false, groups: [] });
      }
    });

    test('each gives its own groups', async () => {
      const first = await aPayingMember();
      const second = shop.aBuyer({ email: first.email });
      shop.buyOnce(second);
      await shop.deliver('checkout-session-completed-once', second);
      const both = [shop.groups.members, shop.groups.course].sort();
      expect(await shop.memberOf(first.email)).toMatchObject({ paid: true, groups: both });
      await end(first);
      expect(await shop.memberOf(first.email)).toMatchObject({ paid: true, groups: [shop.groups.course] });
    });

    test('many of them are all found', async () => {
      const first = await aPayingMember();
      const others = [1, 2, 3, 4].map(() => shop.aBuyer({ email: first.email }));
      shop.subscribe(others.at(-1)!);
      await end(first);
      expect(await shop.memberOf(first.email)).toMatchObject(whole());
    });
  });

  describe('a customer who is moved to another member', () => {
    const move = (buyer: Buyer, memberId: string) => {
      shop.stripe.customers.get(buyer.customerId)!.metadata.gh_member = memberId;
      return shop.deliver('customer-updated', buyer);
    };

    test('takes what it pays for from the one before, and leaves what comes from elsewhere', async () => {
      const buyer = shop.aBuyer();
      await aMember(shop.site, { email: buyer.email, accessGroupIds: [shop.groups.extra] });
      shop.subscribe(buyer, [prices.membership, prices.bundle]);
      await shop.deliver('customer-subscription-created', buyer);
      const email = `new-${buyer.email}`;
      // Has one of the groups already, which is not from the customer.
      const { id } = await aMember(shop.site, { email, accessGroupIds: [shop.groups.members] });
      expect((await move(buyer, id)).text).toBe('updated\n');
      expect(await shop.memberOf(buyer.email)).toMatchObject({ paid: false, groups: [shop.groups.extra] });
      const all = Object.values(shop.groups).sort();
      expect(await shop.memberOf(email)).toEqual({ id, paid: true, groups: all });
      expect((await shop.deliver('customer-updated', buyer)).text).toBe('up to date\n');
      await end(buyer);
      expect(await shop.memberOf(email)).toEqual({ id, paid: false, groups: [shop.groups.members] });
      expect(shop.stripe.customers.get(buyer.customerId)!.metadata).toEqual({ gh_member: id });
    });

    test('leaves the one before what another customer pays for', async () => {
      const first = await aPayingMember();
      const second = await aPayingMember({ email: first.email });
      const { id } = await aMember(shop.site, { email: `new-${first.email}` });
      await move(first, id);
      expect(await shop.memberOf(first.email)).toMatchObject(whole());
      expect(await shop.memberOf(`new-${first.email}`)).toMatchObject(whole());
      await end(second);
      expect(await shop.memberOf(first.email)).toMatchObject({ paid: false, groups: [] });
      expect(await shop.memberOf(`new-${first.email}`)).toMatchObject(whole());
    });

    test('and whose payment has ended before the event arrives gives nobody anything', async () => {
      const buyer = await aPayingMember();
      const { id } = await aMember(shop.site, { email: `new-${buyer.email}`, ...elsewhere() });
      shop.stripe.customers.get(buyer.customerId)!.metadata.gh_member = id;
      await end(buyer);
      expect(await shop.memberOf(buyer.email)).toMatchObject({ paid: false, groups: [] });
      expect(await shop.memberOf(`new-${buyer.email}`)).toMatchObject(whole());
    });
  });

  describe('an address that changes at Stripe', () => {
    test('leaves the member with the address to log in, and the access', async () => {
      const buyer = await aPayingMember();
      const customer = shop.stripe.customers.get(buyer.customerId)!;
      customer.email = `new-${buyer.email}`;
      expect((await shop.deliver('customer-updated', buyer)).text).toBe('up to date\n');
      expect([await shop.memberOf(buyer.email), await shop.memberOf(customer.email)]).toMatchObject([
        whole(),
        undefined,
      ]);
      await end(buyer);
      expect(await shop.memberOf(buyer.email)).toMatchObject({ paid: false, groups: [] });
    });

    test('to that of another member takes nothing from them, and gives them nothing', async () => {
      const [buyer, other] = [await aPayingMember(), await aPayingMember()];
      shop.stripe.customers.get(buyer.customerId)!.email = other.email;
      await shop.deliver('customer-updated', buyer);
      await end(buyer);
      expect(await shop.memberOf(buyer.email)).toMatchObject({ paid: false, groups: [] });
      expect(await shop.memberOf(other.email)).toMatchObject(whole());
      await end(other);
      expect(await shop.memberOf(other.email)).toMatchObject({ paid: false, groups: [] });
    });

    test('to that of somebody who has paid and is not known yet gives nothing of theirs', async () => {
      const [buyer, other] = [await aPayingMember(), shop.aBuyer()];
      shop.buyOnce(other);
      shop.stripe.customers.get(buyer.customerId)!.email = other.email;
      await shop.deliver('customer-updated', buyer);
      expect([await shop.memberOf(buyer.email), linkOf(other)]).toMatchObject([whole(), undefined]);
      await shop.deliver('checkout-session-completed-once', other);
      const { id } = (await shop.memberOf(other.email))!;
      expect([linkOf(other), await shop.memberOf(buyer.email)]).toMatchObject([id, whole()]);
      expect(await shop.memberOf(other.email)).toMatchObject({ paid: true, groups: [shop.groups.course] });
    });

    test('in Gatehouse does not end the link', async () => {
      const buyer = await aPayingMember();
      const { id } = (await shop.memberOf(buyer.email))!;
      const email = `new-${buyer.email}`;
      await shop.site.patch(`/members/${id}`, { email });
      await end(buyer);
      expect(await shop.memberOf(email)).toEqual({ id, paid: false, groups: [] });
    });

    test('or is added after the payment creates the member', async () => {
      const buyer = shop.aBuyer();
      const customer = shop.stripe.customers.get(buyer.customerId)!;
      customer.email = null;
      shop.subscribe(buyer);
      const answer = await shop.deliver('customer-subscription-created', buyer);
      expect([answer.status, answer.text]).toEqual([
        200,
        expect.stringContaining('without an email address'),
      ]);
      customer.email = buyer.email;
      await shop.deliver('customer-updated', buyer);
      expect(await shop.memberOf(buyer.email)).toMatchObject(whole());
    });
  });

  describe('a purchase that is paid once', () => {
    test('gives its group for good, until it is refunded in full', async () => {
      const buyer = shop.aBuyer();
      const session = shop.buyOnce(buyer, [prices.other, prices.other, prices.other, prices.course]);
      session.payment_status = 'unpaid';
      expect((await shop.deliver('checkout-session-completed-once', buyer)).text).toBe('nothing to give\n');
      session.payment_status = 'paid';
      await shop.deliver('checkout-session-completed-once', buyer, {
        change: (event) => Object.assign(event, { type: 'checkout.session.async_payment_succeeded' }),
      });
      expect(await shop.memberOf(buyer.email)).toMatchObject({ paid: true, groups: [shop.groups.course] });
      const charge = session.payment_intent.latest_charge;
      charge.amount_refunded = 100;
      await shop.deliver('charge-refunded', buyer);
      expect(await shop.memberOf(buyer.email)).toMatchObject({ paid: true });
      charge.refunded = true;
      await shop.deliver('charge-refunded', buyer);
      expect(await shop.memberOf(buyer.email)).toMatchObject({ paid: false, groups: [] });
    });

    test('is found among many', async () => {
      const buyer = shop.aBuyer();
      for (let count = 0; count < 4; count += 1) shop.buyOnce(buyer, [prices.other]);
      shop.buyOnce(buyer);
      await shop.deliver('checkout-session-completed-once', buyer);
      expect(await shop.memberOf(buyer.email)).toMatchObject({ groups: [shop.groups.course] });
    });
  });

  test('a customer who is deleted at Stripe loses what was given', async () => {
    const buyer = await aPayingMember();
    const { customerId } = buyer;
    const last = structuredClone(shop.stripe.customers.get(customerId)!);
    shop.stripe.customers.set(customerId, { id: customerId, object: 'customer', deleted: true });
    expect((await end(buyer)).text).toBe('deleted at Stripe\n');
    const change = (event: { data: { object: unknown } }) => {
      event.data.object = last;
    };
    expect((await shop.deliver('customer-deleted', buyer, { change: change as never })).status).toBe(200);
    expect(await shop.memberOf(buyer.email)).toMatchObject({ paid: false, groups: [] });
  });

  test('metadata of a customer that is not from this program stays as it is', async () => {
    const buyer = await aPayingMember();
    const { metadata } = shop.stripe.customers.get(buyer.customerId)!;
    metadata.gh_name = 'octocat';
    expect((await end(buyer)).text).toBe('updated\n');
    expect(metadata).toEqual({ gh_member: metadata.gh_member, gh_name: 'octocat' });
  });

  test('a name that Gatehouse does not accept does not prevent the access', async () => {
    const buyer = shop.aBuyer({ name: 'A'.repeat(250) });
    shop.subscribe(buyer);
    expect((await shop.deliver('invoice-paid', buyer)).text).toBe('updated\n');
    expect(await shop.memberOf(buyer.email)).toMatchObject(whole());
  });
});
