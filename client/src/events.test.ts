import { describe, expect, test } from 'vitest';
import { forOneStore } from '../../server/test/stores.ts';
import { startTestServer, type TestServer } from '../../server/test/test-server.ts';
import { Gatehouse, type GatehouseOptions } from './index.ts';

forOneStore((store) => {
  let started: Promise<TestServer> | undefined;

  /** One site per test on a shared server, and a client with short delays. */
  async function openSite(options: Partial<GatehouseOptions> = {}) {
    started ??= startTestServer(store);
    const server = await started;
    const { key } = await server.createSite();
    const wait = () => new Promise<void>((resolve) => setTimeout(resolve, 1));
    return new Gatehouse({ url: server.address, key, wait, ...options });
  }
  const member = (number: number) => ({ email: `m${number}@example.com` });

  test('events are listed by type, oldest first', async () => {
    const gatehouse = await openSite();
    await gatehouse.members.create(member(1));
    await gatehouse.accessGroups.create({ name: 'Course' });
    await gatehouse.members.create(member(2));
    const emails = [];
    for await (const { data } of gatehouse.events.list({ type: 'member.created', limit: 1 })) {
      emails.push('erased' in data ? undefined : data.member.email);
    }
    expect(emails).toEqual(['m1@example.com', 'm2@example.com']);
  });

  describe('following', () => {
    test('yields past events, then new ones', async () => {
      const gatehouse = await openSite();
      await gatehouse.members.bulkCreate({ members: [member(1), member(2)] });
      const seen = [];
      for await (const event of gatehouse.events.follow({ type: 'member.created' })) {
        seen.push(event.id);
        if (seen.length === 2) await gatehouse.members.create(member(3));
        if (seen.length === 3) break;
      }
      const all = await gatehouse.events.list({ type: 'member.created' }).page();
      expect(seen).toEqual(all.data.map(({ id }) => id));
    });

    test('continues after the last handled event', async () => {
      const gatehouse = await openSite();
      await gatehouse.members.bulkCreate({ members: [member(1), member(2), member(3)] });
      const { data } = await gatehouse.events.list().page();
      for await (const event of gatehouse.events.follow({ after: data[0]!.id })) {
        expect(event).toEqual(data[1]);
        break;
      }
    });

    test('ends without an error when the signal aborts', async () => {
      const gatehouse = await openSite();
      await gatehouse.members.bulkCreate({ members: [member(1), member(2)] });
      const stop = new AbortController();
      const seen = [];
      for await (const event of gatehouse.events.follow({ signal: stop.signal })) {
        seen.push(event);
        stop.abort();
      }
      expect(seen).toHaveLength(1);
      for await (const _ of gatehouse.events.follow({ signal: stop.signal })) expect.unreachable();
    });

    test('ends even while it waits', async () => {
      const stop = new AbortController();
      const gatehouse = await openSite({
        wait: async (milliseconds) => {
          expect(milliseconds).toBe(7_000);
          stop.abort();
        },
      });
      const events = gatehouse.events.follow({
        signal: stop.signal,
        intervalMilliseconds: 7_000,
        type: 'member.created',
      });
      for await (const _ of events) expect.unreachable();
    });

    test('survives an outage longer than the retries of a call', async () => {
      let outage = 9;
      const gatehouse = await openSite({
        fetch: (url, init) =>
          init.method === 'GET' && outage-- > 0 ? Promise.reject(new TypeError('down')) : fetch(url, init),
      });
      await gatehouse.members.create(member(1));
      for await (const event of gatehouse.events.follow({ type: 'member.created' })) {
        expect(event.type).toBe('member.created');
        break;
      }
      expect(outage).toBeLessThan(0);
    });

    test('throws permanent errors', async () => {
      const gatehouse = await openSite({ key: 'gate_nonsense' });
      const events = gatehouse.events.follow();
      await expect(events.next()).rejects.toMatchObject({ code: 'invalid_api_key' });
    });
  });
});
