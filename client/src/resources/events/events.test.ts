import { describe, expect, test } from 'vitest';
import { forOneStore } from '../../../../server/test/stores.ts';
import { startTestServer, type TestServer } from '../../../../server/test/test-server.ts';
import { Gatehouse, type GatehouseOptions } from '../../index.ts';

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

  describe('streaming', () => {
    test('yields the events since one, and then each new one, of the given types', async () => {
      const gatehouse = await openSite();
      const { data } = await gatehouse.events.list().page();
      await gatehouse.members.bulkCreate({ members: [member(1), member(2)] });
      const seen = [];
      for await (const event of gatehouse.events.stream({
        types: ['member.created'],
        after: data.at(-1)!.id,
      })) {
        seen.push('erased' in event.data ? undefined : event.data.member.email);
        if (seen.length === 2) {
          await gatehouse.accessGroups.create({ name: 'Course' });
          await gatehouse.members.create(member(3));
        }
        if (seen.length === 3) break;
      }
      expect(seen).toEqual([1, 2, 3].map((number) => member(number).email));
    });

    test('goes on without a loss when the connection breaks, also before the first event', async () => {
      let opened = 0;
      const lastIds: (string | null)[] = [];
      const gatehouse = await openSite({
        fetch: async (url, init) => {
          if (!url.includes('/events/stream')) return fetch(url, init);
          opened += 1;
          lastIds.push(new Headers(init.headers).get('last-event-id'));
          if (opened === 2) return new Response('Bad gateway', { status: 502 });
          const response = await fetch(url, init);
          const reader = response.body!.getReader();
          let blocks = 0;
          const body = new ReadableStream({
            async pull(controller) {
              // The first connections break after one part each.
              if (opened <= 3 && blocks === 1) return controller.error(new Error('broken'));
              blocks += 1;
              const { value, done } = await reader.read();
              if (done) controller.close();
              else controller.enqueue(value);
            },
          });
          return new Response(body, response);
        },
      });
      const { data } = await gatehouse.events.list().page();
      const stop = new AbortController();
      const seen: string[] = [];
      const reading = (async () => {
        for await (const { id } of gatehouse.events.stream({ signal: stop.signal })) seen.push(id);
      })();
      await expect.poll(() => lastIds.length).toBeGreaterThan(3);
      expect(lastIds.slice(0, 4)).toEqual([null, data.at(-1)!.id, data.at(-1)!.id, data.at(-1)!.id]);
      for (let number = 1; number <= 3; number += 1) await gatehouse.members.create(member(number));
      const all = await gatehouse.events.list({ after: data.at(-1)!.id }).page();
      await expect.poll(() => seen).toEqual(all.data.map(({ id }) => id));
      stop.abort();
      await reading;
    });

    test('ends with an error when the key is no longer valid', async () => {
      const gatehouse = await openSite();
      const { id, secret } = await gatehouse.apiKeys.create({
        name: 'Reader',
        permissions: ['events:read'],
      });
      const reader = new Gatehouse({ url: (await started!).address, key: secret, wait: async () => {} });
      const reading = (async () => {
        for await (const _ of reader.events.stream({ types: ['member.created'] })) expect.unreachable();
      })();
      // Expected before the key is revoked: the stream may fail before the answer to the revocation is read.
      const ends = expect(reading).rejects.toMatchObject({ code: 'invalid_api_key', status: 401 });
      await new Promise((resolve) => setTimeout(resolve, 200));
      await gatehouse.apiKeys.revoke(id);
      await ends;
    });
  });
});
