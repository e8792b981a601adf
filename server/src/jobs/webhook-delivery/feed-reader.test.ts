import sql from 'sql-template-tag';
import { expect, test, vi } from 'vitest';
import { aGroup, aMember, someMembers } from '../../../test/contract/given.ts';
import { forEachStore } from '../../../test/stores.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { type FeedEvent, findEndOfFeed } from '../../domain/events/event-feed.ts';
import { FeedReader } from './feed-reader.ts';

const matches = ({ event }: FeedEvent): boolean => event.type === 'member.created';

/** The next event that matches, however far the feed must be read. */
async function next(feed: FeedReader): Promise<FeedEvent | undefined> {
  for (;;) {
    const event = feed.peek(matches);
    if (event) feed.consume(event);
    if (event || !(await feed.read())) return event;
  }
}

forEachStore((store) => {
  const server = useTestServer(store);

  /** A site, and a reader of the members that are created there. */
  async function given(end?: number) {
    const site = await server.createSite();
    const { position } = await findEndOfFeed({ db: server.database, siteId: site.siteId });
    const range = { position, ...(end !== undefined && { end: position + end }) };
    const feed = new FeedReader(server.database, site.siteId, range);
    const purge = () => server.database.run(sql`DELETE FROM events WHERE site_id = ${site.siteId}`);
    return { site, feed, position, purge };
  }

  test('the position is before the first event that has not ended, in whatever order they end', async () => {
    const { site, feed, position } = await given();
    await someMembers(site, 3);
    const events = [await next(feed), await next(feed), await next(feed)];
    expect(events.map((each) => each!.position)).toEqual([1, 2, 3].map((number) => position + number));
    expect(await next(feed)).toBeUndefined();
    const positions = [1, 0, 2].map((index) => {
      feed.complete(events[index]!.position);
      return feed.position - position;
    });
    expect(positions).toEqual([0, 2, 3]);
  });

  test('an event whose data was erased since it was read is read again after a second', async () => {
    const { site, feed } = await given();
    await aMember(site);
    const { id } = await aMember(site);
    expect(await next(feed)).toBeDefined();
    await site.delete(`/members/${id}`);
    const now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(now + 1_001);
    const again = await next(feed).finally(() => clock.mockRestore());
    expect(again!.event.data).toEqual({ memberId: id, erased: true });
  });

  test('an event is not read again before it was handed out, however long the store took', async () => {
    const { site, feed } = await given();
    await aMember(site);
    expect(await feed.read()).toBe(true);
    const now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(now + 1_001);
    const event = feed.peek(matches);
    clock.mockRestore();
    expect(event!.event.type).toBe('member.created');
  });

  test('events that were purged before they were read leave nothing to wait for', async () => {
    const { site, feed, position, purge } = await given();
    await someMembers(site, 2);
    await purge();
    expect(await next(feed)).toBeUndefined();
    expect(feed.position).toBe(position + 2);
    const { id } = await aMember(site);
    expect((await next(feed))!.event.data).toMatchObject({ member: { id } });
  });

  test('a long part of the feed without an event that matches is read in steps', async () => {
    const { site, feed, position } = await given();
    const group = await aGroup(site);
    for (let number = 0; number < 60; number += 1) {
      await site.patch(`/access-groups/${group.id}`, { name: `Group ${number} of 1` });
      await site.patch(`/access-groups/${group.id}`, { name: `Group ${number} of 2` });
    }
    await aMember(site);
    expect(await feed.read()).toBe(true);
    expect(feed.peek(matches)).toBeUndefined();
    expect(feed.position).toBe(position + 100);
    expect(await feed.read()).toBe(true);
    expect((await next(feed))!.position).toBe(position + 122);
  });

  test('a range is done at its end, also if its events were purged', async () => {
    const { site, feed, position, purge } = await given(2);
    await someMembers(site, 3);
    expect(await next(feed)).toBeDefined();
    expect(feed.position).toBeLessThan(position + 2);
    const last = await next(feed);
    expect(await next(feed)).toBeUndefined();
    feed.complete(last!.position - 1);
    feed.complete(last!.position);
    expect(feed.position).toBe(position + 2);
    const other = await given(2);
    await someMembers(other.site, 2);
    await other.purge();
    expect(await next(other.feed)).toBeUndefined();
    expect(other.feed.position).toBe(other.position + 2);
    await purge();
  });
});
