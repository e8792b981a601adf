import { expect, test } from 'vitest';
import { aGroup, aWebhook, someMembers } from '../../../test/contract/given.ts';
import { forEachStore } from '../../../test/stores.ts';
import { useTestServer } from '../../../test/use-server.ts';
import { findEndOfFeed } from '../../domain/events/event-feed.ts';
import { findStoredWebhook } from '../../domain/webhooks/webhooks.ts';
import { FeedMessages } from './feed-messages.ts';

forEachStore((store) => {
  const server = useTestServer(store);

  test('the next page is read as soon as the rest of a page has nothing to send', async () => {
    const site = await server.createSite();
    const { id } = await aWebhook(site, { eventTypes: ['access-group.created'], enabled: false });
    const stored = await findStoredWebhook({ db: server.database, siteId: site.siteId }, id);
    const { position } = await findEndOfFeed({ db: server.database, siteId: site.siteId });
    const feed = new FeedMessages(server.database, site.siteId, { ...stored, enabled: true, position });
    await aGroup(site);
    await someMembers(site, 120);
    const last = await aGroup(site);
    const maySend = () => true;
    expect(await feed.read(maySend)).toBe(true);
    feed.consume(feed.next(maySend)!);
    expect(await feed.read(maySend)).toBe(true);
    expect(feed.next(maySend)!.event.event.data).toMatchObject({ group: { id: last.id } });
  });
});
