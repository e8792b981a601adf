import { expect, test } from 'vitest';
import { everyItem } from '../../../test/contract/given.ts';
import { hour, movableTime } from '../../../test/movable-time.ts';
import { forEachStore } from '../../../test/stores.ts';
import { useTestServer } from '../../../test/use-server.ts';

forEachStore((store) => {
  const { clock, advance } = movableTime();
  const server = useTestServer(store, { clock });
  const thisHour = () => `${clock().toISOString().slice(0, 13)}:00:00.000Z`;

  test('the hour in which a key was last used is in the list, and a refused key has none', async () => {
    const site = await server.createSite();
    const { secret, apiKey } = await site.createKey({ permissions: ['site:read'] });
    const headers = { authorization: `Bearer ${secret}` };
    const lastUsed = async () =>
      (await everyItem(site, '/api-keys')).find(({ id }) => id === apiKey.id).lastUsedAt;
    expect(await lastUsed()).toBeNull();
    expect((await site.get('/site', headers)).status).toBe(200);
    await expect.poll(lastUsed).toBe(thisHour());
    const first = thisHour();
    advance(2 * hour);
    expect(await lastUsed()).toBe(first);
    // A request that the key may not make is a use as well.
    expect((await site.get('/members', headers)).status).toBe(403);
    await expect.poll(lastUsed).toBe(thisHour());
    const used = thisHour();
    await site.delete(`/api-keys/${apiKey.id}`);
    advance(hour);
    expect((await site.get('/site', headers)).status).toBe(401);
    expect(await lastUsed()).toBe(used);
  });
});
