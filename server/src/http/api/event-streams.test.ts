import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { maxStreamsOfKey, maxStreamsOfSite } from '@gatehouse/contract';
import { expect, test } from 'vitest';
import { changing } from '../../../test/change.ts';
import { expectError } from '../../../test/contract/answers.ts';
import { aGroup, aMember, aMembership, unknownId } from '../../../test/contract/given.ts';
import { openStream, type ReadStream, tryStream } from '../../../test/event-stream.ts';
import { anOperator } from '../../../test/operator.ts';
import { forEachStore, forOneStore } from '../../../test/stores.ts';
import { startTestServer, type TestServer, type TestSite } from '../../../test/test-server.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { newId } from '../../base/ids.ts';
import { newMember, toSummary } from '../../domain/members/member-values.ts';

function aLongEvent() {
  const member = newMember({ email: `${newId()}@example.com`, displayName: '🚣'.repeat(200) });
  return { type: 'member.created', memberId: member.id, data: { member: toSummary(member) } } as const;
}

const received = (stream: ReadStream, count: number) => expect.poll(() => stream.events.length).toBe(count);

async function someKeys(site: TestSite, count: number): Promise<string[]> {
  const keys: string[] = [];
  while (keys.length < count) keys.push((await site.createKey({ permissions: ['events:read'] })).secret);
  return keys;
}

/** Opens streams on a server. */
const opening =
  (server: TestServer) =>
  (site: TestSite, query = '', headers: Record<string, string> = {}) =>
    openStream({ apiUrl: server.apiUrl, key: site.key }, query, headers);

forEachStore((store) => {
  const server = useTestServer(store);
  const open = opening(server);
  const allEvents = async (site: TestSite) => (await site.get('/events?limit=100')).body.data;

  test('a stream has the events as they happen, in the form of the list', async () => {
    const site = await server.createSite();
    const before = await allEvents(site);
    const stream = await open(site);
    expect(stream.response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(stream.response.headers['x-accel-buffering']).toBe('no');
    expect(stream.response.headers['cache-control']).toContain('no-store');
    const member = await aMember(site);
    await site.post(`/members/${member.id}/block`, undefined);
    await received(stream, 2);
    const events = (await allEvents(site)).slice(before.length);
    expect(stream.events).toEqual(events);
    expect(stream.blocks[0]).toEqual({ retry: '2000', id: before.at(-1).id });
    expect(stream.blocks.slice(1).map(({ id, event }) => ({ id, type: event }))).toEqual(
      events.map(({ id, type }: { id: string; type: string }) => ({ id, type })),
    );
  });

  test('a reader that connects again misses nothing and gets nothing twice', async () => {
    const site = await server.createSite();
    const start = (await allEvents(site)).length;
    const seen: string[] = [];
    let last = (await allEvents(site)).at(-1).id;
    let isOver = false;
    const reading = (async () => {
      for (let isLast = false; !isLast; ) {
        isLast = isOver;
        const stream = await open(site, '', { 'last-event-id': last });
        // Until the end only a few blocks at a time.
        const count = () => stream.blocks.length >= 4 || isOver;
        await expect.poll(count, { interval: 2 }).toBe(true);
        if (isLast) await expect.poll(() => seen.length + stream.events.length).toBe(120);
        stream.close();
        seen.push(...stream.events.map(({ id }) => id));
        last = stream.lastId ?? last;
      }
    })();
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let number = 0; number < 30; number += 1) await aMember(site);
      }),
    );
    isOver = true;
    await reading;
    const ids = [];
    for await (const event of everyEvent(site)) ids.push(event.id);
    expect(seen).toEqual(ids.slice(start));
  });

  test('it begins after an event, and with the nil UUID at the beginning of the feed', async () => {
    const site = await server.createSite();
    for (let number = 0; number < 3; number += 1) await aMember(site);
    const events = await allEvents(site);
    const whole = await open(site, '?after=00000000-0000-0000-0000-000000000000');
    await received(whole, events.length);
    expect(whole.events).toEqual(events);
    const rest = await open(site, `?after=${events[0].id}`, { 'last-event-id': events[1].id.toUpperCase() });
    await received(rest, events.length - 2);
    expect(rest.events).toEqual(events.slice(2));
  });

  test('it can be limited to types and to groups, and its id moves on nevertheless', async () => {
    const site = await server.createSite();
    const [group, other] = [await aGroup(site), await aGroup(site)];
    const ofTypes = await open(site, '?types=member.created,member.deleted');
    const ofGroup = await open(site, `?groupIds=${group.id.toUpperCase()}`);
    const member = await aMember(site);
    await aMembership(site, group.id, member.id);
    await aMembership(site, other.id, member.id);
    await site.delete(`/members/${member.id}`);
    await received(ofTypes, 2);
    expect(ofTypes.types).toEqual(['member.created', 'member.deleted']);
    await expect.poll(() => ofGroup.types).toEqual(['access-group.member.added']);
  });

  test('wrong requests are refused', async () => {
    const site = await server.createSite();
    const path = '/events/stream';
    for (const query of ['types=', 'types=member.exploded', 'types=member.created,', 'after=x', 'groupIds=x'])
      expectError(await site.get(`${path}?${query}`), 400, 'invalid_request');
    expectError(await site.get(path, { 'last-event-id': 'x' }), 400, 'invalid_request');
    expectError(await site.get(`${path}?after=${unknownId()}`), 400, 'invalid_cursor');
    expectError(await site.request('POST', path), 405, 'method_not_allowed');
    const other = await server.createSite(['members:read']);
    expectError(await other.get(path), 403, 'permission_denied');
    const foreign = await allEvents(await server.createSite());
    expectError(await site.get(`${path}?after=${foreign[0].id}`), 400, 'invalid_cursor');
    const head = await site.request('HEAD', path);
    expect([head.status, head.headers.get('content-type'), head.text]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      '',
    ]);
  });

  test('it ends when its key is revoked, and others go on', async () => {
    const site = await server.createSite();
    const { apiKey, secret } = await site.createKey({ permissions: ['events:read'] });
    const [mine, other] = [await openStream({ apiUrl: server.apiUrl, key: secret }), await open(site)];
    await site.delete(`/api-keys/${apiKey.id}`);
    await mine.ended;
    await aMember(site);
    await expect.poll(() => other.types).toEqual(['api-key.revoked', 'member.created']);
    expect(mine.types).not.toContain('member.created');
    // Sooner than at the first heartbeat.
    expect(mine.blocks.filter(({ event }) => event === undefined)).toHaveLength(1);
  });

  test('while one stream reads a long feed, requests are answered', async () => {
    const site = await server.createSite();
    for (let bulk = 0; bulk < 8; bulk += 1) {
      const members = Array.from({ length: 500 }, (_, number) => ({
        email: `m${bulk}-${number}@example.com`,
      }));
      await site.post('/members/bulk', { members });
    }
    // The last event of the feed, and the only one that matches.
    await site.patch('/site', { title: 'Regatta' });
    const streams = await Promise.all(
      Array.from({ length: 10 }, () =>
        open(site, '?types=site.updated&after=00000000-0000-0000-0000-000000000000'),
      ),
    );
    expect((await site.get('/site')).status).toBe(200);
    const areAtTheEnd = () => streams.every((stream) => stream.types.length > 0);
    expect(areAtTheEnd()).toBe(false);
    await expect.poll(areAtTheEnd).toBe(true);
  });

  test('clients that leave while they connect leave nothing behind', async () => {
    const site = await server.createSite();
    const { hostname, port } = new URL(server.address);
    const head = `GET /api/v1/events/stream HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${site.key}\r\n\r\n`;
    for (let client = 0; client < 3 * maxStreamsOfKey; client += 1) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      await once(socket, 'connect');
      socket.write(head);
      if (client % 2 === 0) setImmediate(() => socket.resetAndDestroy());
      else socket.end();
    }
    await expect
      .poll(async () => {
        const streams = await Promise.all(
          Array.from({ length: maxStreamsOfKey }, () => tryStream({ apiUrl: server.apiUrl, key: site.key })),
        );
        for (const stream of streams) if (typeof stream !== 'number') stream.close();
        return streams.filter((stream) => stream === 429).length;
      })
      .toBe(0);
  });

  test('it ends when the service stops', async () => {
    const own = await startTestServer(store);
    const site = await own.createSite();
    const stream = await openStream({ apiUrl: own.apiUrl, key: site.key });
    await Promise.all([own.stop(), stream.ended]);
    expect(stream.response.complete).toBe(true);
  });

  async function* everyEvent(site: TestSite) {
    for (let after = ''; ; ) {
      const { data, pagination } = (await site.get(`/events?limit=100${after}`)).body;
      yield* data;
      if (!pagination.hasMore) return;
      after = `&after=${pagination.nextCursor}`;
    }
  }
});

// What concerns connections: they are counted and delayed before and after the store is read.
forOneStore((store) => {
  const server = useTestServer(store);
  const open = opening(server);
  const asMany = (key: string, count: number) =>
    Array.from({ length: count }, () => openStream({ apiUrl: server.apiUrl, key }));

  test('a site has a limited number of streams, and another site its own', async () => {
    const site = await server.createSite();
    const keys = await someKeys(site, maxStreamsOfSite / maxStreamsOfKey);
    const streams = await Promise.all(keys.flatMap((key) => asMany(key, maxStreamsOfKey)));
    const refused = await site.get('/events/stream');
    expect(expectError(refused, 429, 'too_many_streams').message).toContain('This site');
    expect(refused.headers.get('retry-after')).toBe('10');
    await open(await server.createSite());
    streams[0]!.close();
    const address = { apiUrl: server.apiUrl, key: site.key };
    await expect.poll(async () => (await tryStream(address)) === 429).toBe(false);
    await aMember(site);
    for (const stream of streams.slice(1)) await received(stream, 1);
  });

  test('a key and an operator have a limited number of streams, and leave room for others', async () => {
    const site = await server.createSite();
    const [weak] = await someKeys(site, 1);
    const { browser } = await anOperator(server, site.siteId, 'viewer');
    for (const secret of [weak!, await browser.token(site.siteId)]) {
      const streams = await Promise.all(asMany(secret, maxStreamsOfKey));
      const refused = await site.get('/events/stream', { authorization: `Bearer ${secret}` });
      expect(expectError(refused, 429, 'too_many_streams').message).toContain('a key or an operator');
      expect(refused.headers.get('retry-after')).toBe('10');
      await open(site);
      streams[0]!.close();
      const address = { apiUrl: server.apiUrl, key: secret };
      await expect.poll(async () => (await tryStream(address)) === 429).toBe(false);
    }
  });

  test('a reader that reads slowly delays nobody, and then gets everything', async () => {
    const site = await server.createSite();
    const slow = request(`${server.apiUrl}/events/stream`, {
      headers: { authorization: `Bearer ${site.key}` },
      agent: false,
    });
    slow.end();
    const [paused] = await once(slow, 'response');
    const quick = await open(site);
    // More than the operating system keeps for a reader. Stored as if by another process: a slow one would take so long to
    // create the members that the reader counts as gone.
    const [rounds, atOnce] = [16, 500];
    for (let round = 0; round < rounds; round += 1) {
      await changing(server.database, site.siteId, async (change) => {
        for (let number = 0; number < atOnce; number += 1) change.record(aLongEvent());
      });
    }
    await received(quick, rounds * atOnce);
    let text = '';
    paused.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    await expect.poll(() => text.split('\nevent: member.created\n').length - 1).toBe(rounds * atOnce);
    const ids = [...text.matchAll(/^id: (\S+)\nevent/gm)].map(([, id]) => id);
    expect(ids).toEqual(quick.events.map(({ id }) => id));
    paused.destroy();
  });

  test('a request with a body that has not arrived is refused', async () => {
    const site = await server.createSite();
    const { hostname, port } = new URL(server.address);
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
    socket.write(
      `GET /api/v1/events/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${site.key}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab`,
    );
    await expect.poll(() => text).toContain('The request has a body');
    expect(text).toContain('HTTP/1.1 400');
    socket.destroy();
  });

  test('it is counted once, and not as a slow request', async () => {
    const own = await startTestServer(store, {
      settings: { metricsToken: 'token', slowRequestMilliseconds: 50 },
    });
    const site = await own.createSite();
    const stream = await openStream({ apiUrl: own.apiUrl, key: site.key });
    const metrics = async () => {
      const answer = await fetch(`${own.address}/metrics`, { headers: { authorization: 'Bearer token' } });
      return answer.text();
    };
    expect(await metrics()).toContain('gatehouse_event_streams 1');
    await aMember(site);
    await received(stream, 1);
    stream.close();
    await expect.poll(metrics).toContain('gatehouse_event_streams 0');
    const text = await metrics();
    expect(text).toMatch(
      /gatehouse_http_requests_total\{[^}]*operation="streamEvents"[^}]*status="200"[^}]*\} 1\n/,
    );
    await own.stop();
  });
});
