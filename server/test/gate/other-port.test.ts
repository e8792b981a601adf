import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Club, clubHost, loggedIn, startClub } from './club.ts';
import { caddy, nginx, type ProxyProgram } from './proxies.ts';
import { type HeaderLines, Visitor } from './visitor.ts';

const asPage: HeaderLines = [['Accept', 'text/html']];
const host = `${clubHost}:8443`;

/** The changes that the guides describe, without that of the port at which the proxy listens. */
const changes: readonly (readonly [ProxyProgram, (configuration: string) => string])[] = [
  [nginx, (text) => text.replaceAll(/(Host +\$server_name);/g, '$1:8443;')],
  [caddy, (text) => text.replaceAll(/(header_up \S*Host club\.example\.org)/g, '$1:8443')],
];

describe.each(changes)('a site at a port of its own behind $name', (proxy, change) => {
  describe.skipIf(proxy.leftOut())('with the domain and the host as in the guide', () => {
    let club: Club;
    beforeAll(async () => {
      club = await startClub();
      await club.setRules({ path: '/', access: 'members' }, { path: '/app/public', access: 'public' });
      await club.api('PATCH', '/site', { domain: host });
    });
    afterAll(() => club?.stop());

    test('the login leads back to the port, and the program knows it', async () => {
      const running = await proxy.start(club.upstreams, change);
      const proxied = { port: running.httpsPort, host, certificate: club.certificate };
      const anonymous = new Visitor(proxied);
      const denied = await anonymous.get('/members/', asPage);
      expect(denied.headers.get('location')).toBe(
        `https://${host}/_gatehouse/login?next=${encodeURIComponent('/members/')}`,
      );
      const id = await club.createMember('ada@example.com');
      const member = await loggedIn(proxied, await club.linkOf(id));
      expect((await member.get('/members/')).text).toContain(club.secret);
      const { headers } = JSON.parse((await anonymous.get('/app/public')).text);
      for (const name of ['host', 'x-forwarded-host']) {
        const received = headers.find(([each]: [string]) => each.toLowerCase() === name);
        expect(received?.[1]).toBe(host);
      }
      await running.stop();
    });
  });
});
