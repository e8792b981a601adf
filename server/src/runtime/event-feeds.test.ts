import { expect, test } from 'vitest';
import { aMember } from '../../test/contract/given.ts';
import { forEachStore } from '../../test/stores.ts';
import { useTestServer } from '../../test/use-server.ts';
import { systemTimers } from '../base/timers.ts';
import { type FeedEvent, findEndOfFeed } from '../domain/events/event-feed.ts';
import type { Database } from '../storage/database.ts';
import { EventFeeds } from './event-feeds.ts';

forEachStore((store) => {
  const server = useTestServer(store);

  function openFeeds(database: Database) {
    const errors: unknown[] = [];
    const feeds = new EventFeeds({ database, timers: systemTimers, onError: (error) => errors.push(error) });
    return { feeds, errors };
  }

  /** A reader that collects the positions of what it receives. */
  function aReader() {
    const positions: number[] = [];
    const receive = (events: readonly FeedEvent[]) => positions.push(...events.map((each) => each.position));
    let ends = 0;
    return { positions, receive, end: () => (ends += 1), ends: () => ends };
  }

  test('a reader whose read is answered late does not pass over what others got meanwhile', async () => {
    const site = await server.createSite();
    let answerLate: Promise<unknown> | undefined;
    const database: Database = {
      ...server.database,
      all: async (statement) => {
        const late = answerLate;
        answerLate = undefined;
        const rows = await server.database.all(statement);
        await late;
        return rows as never;
      },
    };
    const { feeds } = openFeeds(database);
    const { position } = await findEndOfFeed({ db: database, siteId: site.siteId });
    const other = aReader();
    expect(feeds.join(site.siteId, position, other)).toBe(true);

    const late = Promise.withResolvers<void>();
    answerLate = late.promise;
    const reading = feeds.readPage(site.siteId, position);
    await expect.poll(() => answerLate === undefined).toBe(true);
    await aMember(site);
    await expect.poll(() => other.positions).toEqual([position + 1]);
    late.resolve();
    const page = await reading;
    expect(page.position).toBe(position + page.events.length);
    feeds.leave(site.siteId, other);
  });

  test('readers are notified when the store has lost events that they have read', async () => {
    const site = await server.createSite();
    const { feeds } = openFeeds(server.database);
    const reader = aReader();
    feeds.join(site.siteId, 1_000, reader);
    await expect.poll(reader.ends).toBeGreaterThan(0);
    feeds.leave(site.siteId, reader);
  });

  test('an outage is reported once, and reading goes on after it', async () => {
    const site = await server.createSite();
    let isDown = false;
    let attempts = 0;
    const database: Database = {
      ...server.database,
      get: async (statement) => {
        attempts += 1;
        if (isDown) throw new Error('down');
        return server.database.get(statement);
      },
    };
    const { feeds, errors } = openFeeds(database);
    const { position } = await findEndOfFeed({ db: database, siteId: site.siteId });
    const reader = aReader();
    feeds.join(site.siteId, position, reader);
    isDown = true;
    await aMember(site);
    const before = attempts;
    await expect.poll(() => attempts).toBeGreaterThan(before + 2);
    isDown = false;
    await expect.poll(() => reader.positions).toEqual([position + 1]);
    expect(errors).toHaveLength(1);
    feeds.leave(site.siteId, reader);
  });
});
