import { describe, expect, onTestFinished, test } from 'vitest';
import { aMember } from '../contract/given.ts';
import { openStream, type ReadStream, tryStreamAt } from '../event-stream.ts';
import { anOperator } from '../operator.ts';
import { forOneStore } from '../stores.ts';
import { useTestServer } from '../use-server.ts';
import { caddy, nginx, startPlainProxy } from './proxies.ts';

forOneStore((store) => {
  const server = useTestServer(store);

  describe.each([
    ['nginx', nginx],
    ['caddy', caddy],
  ] as const)('behind %s', (name, program) => {
    test.skipIf(program.leftOut())('an event passes at once, and a reader goes on where it was', async () => {
      const site = await server.createSite();
      const proxy = await startPlainProxy(name, Number(new URL(server.address).port));
      onTestFinished(proxy.stop);
      const place = { apiUrl: `http://127.0.0.1:${proxy.port}/api/v1`, key: site.key };
      const first = await openStream(place);
      await expect.poll(() => first.blocks.length).toBe(1);
      await aMember(site);
      await expect.poll(() => first.types).toEqual(['member.created']);
      first.close();
      const second = await openStream(place, '', { 'last-event-id': first.lastId! });
      await aMember(site);
      await expect.poll(() => second.types).toEqual(['member.created']);
      second.close();
    });

    test.skipIf(program.leftOut())('a dashboard learns of a change at once', async () => {
      const site = await server.createSite();
      const { browser } = await anOperator(server, site.siteId);
      const proxy = await startPlainProxy(name, Number(new URL(server.address).port));
      onTestFinished(proxy.stop);
      const address = `http://127.0.0.1:${proxy.port}/dashboard/api/sites/${site.siteId}/changes`;
      const stream = (await tryStreamAt(address, browser.cookieHeader())) as ReadStream;
      await expect.poll(() => stream.blocks.length).toBe(1);
      await aMember(site);
      await expect.poll(() => stream.events).toMatchObject([{ types: ['member.created'] }]);
    });
  });
});
