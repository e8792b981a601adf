import { readFileSync } from 'node:fs';
import path from 'node:path';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Club, clubHost, type Echo, loggedIn, startClub } from './club.ts';
import { caddy, configurations, nginx, type ProxyProgram, type RunningProxy } from './proxies.ts';
import { type HeaderLines, type ProxiedSite, Visitor } from './visitor.ts';

// The sections "Other names of headers" of the guides, with the names that they use.

const lines = (guide: string) =>
  [
    ...readFileSync(path.join(configurations, '..', guide), 'utf8')
      .split('## Other names of headers')[1]!
      .split('\n## ')[0]!
      .matchAll(/```\w+\n(.*?)```/gs),
  ].map(([, block = '']) => block.trim());

/** The configuration of nginx with the lines of the guide, once for each header. */
function changeNginx(configuration: string): string {
  const [block = ''] = lines('nginx.md');
  const [set = '', send = ''] = block.split('\n');
  const lineFor = (line: string, name: string, variable: string) =>
    line
      .replace('x_webauth_user', name.toLowerCase().replaceAll('-', '_'))
      .replace('X-WebAuth-User', name)
      .replaceAll('$gatehouse_user', variable);
  const names = { user: 'X-WebAuth-User', groups: 'X-WebAuth-Groups', identity: 'Gatehouse-Identity' };
  const all = (line: string) =>
    Object.entries(names).map(([field, name]) => lineFor(line, name, `$gatehouse_${field}`));
  return configuration
    .replaceAll(
      /^.*(?:upstream_http_remote_(?!credential|cache|page_code)|proxy_set_header Remote-(?!Page-Code)).*\n/gm,
      '',
    )
    .replace('    error_page 401 =', `${all(set).join('\n')}\n    error_page 401 =`)
    .replace('    # A static site.', `${all(send).join('\n')}\n    # A static site.`);
}

function changeCaddy(configuration: string): string {
  const [before = '', behind = ''] = lines('caddy.md');
  const [copy = '', ...after] = behind.split('\n').filter((line) => line !== '');
  return configuration
    .replace(/request_header -Remote\*\n.*?request_header @naming -Connection/s, before)
    .replace(/copy_headers .*/, copy)
    .replace(/@no_member not .*?request_header @no_member -Remote-Groups/s, after.join('\n'));
}

describe.each([
  [nginx, changeNginx],
  [caddy, changeCaddy],
] as [ProxyProgram, (configuration: string) => string][])('other names behind $name', (proxy, change) => {
  describe.skipIf(proxy.leftOut())('with the lines of the guide', () => {
    let club: Club;
    let running: RunningProxy;
    let proxied: ProxiedSite;
    beforeAll(async () => {
      club = await startClub();
      running = await proxy.start(club.upstreams, change);
      proxied = { port: running.httpsPort, host: clubHost, certificate: club.certificate };
      await club.setRules({ path: '/', access: 'public' });
      expect((await club.api('POST', '/site/signing-keys', {})).status).toBe(201);
      const names = { user: 'X-WebAuth-User', email: null, name: null, groups: 'X-WebAuth-Groups' };
      const identityHeaders = { encoding: 'utf8', ...names, signed: 'gatehouse-identity' };
      expect((await club.api('PATCH', '/site', { identityHeaders })).status).toBe(200);
    });
    afterAll(async () => {
      await running?.stop();
      await club?.stop();
    });

    test('the app gets the headers of the member, and none of a visitor', async () => {
      const accessGroupIds = [];
      for (const name of ['Kurs, Ä', 'あ'])
        accessGroupIds.push((await club.api('POST', '/access-groups', { name })).body.data.id);
      const id = await club.createMember('ada@example.com', { accessGroupIds });
      const visitor = await loggedIn(proxied, await club.linkOf(id));
      const names = ['X-WebAuth-User', 'X-WebAuth-Groups', 'Gatehouse-Identity'];
      const spellings = names.flatMap((name) => [
        name,
        name.toUpperCase(),
        name.replaceAll('-', '_'),
        name.replace('-', '_'),
        ...[..."!#$%&'*+.^`|~"].map((character) => name.replaceAll('-', character)),
      ]);
      const forged = 'forged-by-the-visitor';
      const attempts: HeaderLines[] = [
        ...spellings.map((name): HeaderLines => [[name, forged]]),
        [
          ['Connection', 'X-WebAuth-User, Gatehouse-Identity'],
          ...spellings.map((name) => [name, forged] as const),
        ],
      ];
      for (const who of [visitor, new Visitor(proxied)]) {
        for (const headers of attempts) {
          const echo: Echo = JSON.parse((await who.get('/app/public', headers)).text);
          expect(JSON.stringify(echo)).not.toContain(forged);
          const headerOf = (wanted: string) =>
            echo.headers
              .filter(([name]) => name.toLowerCase() === wanted)
              .map(([, value]) => value)
              .join('|');
          const groups = Buffer.from(headerOf('x-webauth-groups'), 'latin1').toString('utf8');
          const token = headerOf('gatehouse-identity');
          expect([
            headerOf('x-webauth-user'),
            groups.split(',').sort(),
            token && decodeJwt(token).sub,
          ]).toEqual(who === visitor ? [id, ['Kurs%2C Ä', 'あ'], id] : ['', [''], '']);
        }
      }
    });
  });
});
