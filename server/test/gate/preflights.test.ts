import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Club, clubHost, type Echo, loggedIn, startClub } from './club.ts';
import { pathTricks } from './path-tricks.ts';
import { withPreflights } from './preflight-lines.ts';
import { caddy, nginx, type RunningProxy } from './proxies.ts';
import { type HeaderLines, type ProxiedSite, Visitor } from './visitor.ts';

const preflight: HeaderLines = [
  ['Origin', 'https://forum.example.net'],
  ['Access-Control-Request-Method', 'PUT'],
  ['Access-Control-Request-Headers', 'content-type'],
  ['Sec-Fetch-Mode', 'cors'],
];

describe.each([nginx, caddy])('preflights behind $name', (proxy) => {
  describe.skipIf(proxy.leftOut())('with the lines of the guide', () => {
    let club: Club;
    let running: RunningProxy;
    let proxied: ProxiedSite;
    beforeAll(async () => {
      club = await startClub({ preflights: true });
      running = await proxy.start(club.upstreams, (configuration) => withPreflights(proxy, configuration));
      proxied = { port: running.httpsPort, host: clubHost, certificate: club.certificate };
    });
    afterAll(async () => {
      await running?.stop();
      await club?.stop();
    });
    const anonymous = () => new Visitor(proxied);
    const send = (target: string, headers: HeaderLines, body?: string) =>
      anonymous().request('OPTIONS', target, { headers, ...(body !== undefined && { body }) });

    test('the program receives the question, and nothing about a visitor', async () => {
      await club.setRules({ path: '/app', access: 'members' });
      const forged: HeaderLines = [
        ['Remote-User', 'forged'],
        ['X-Forwarded-Host', 'evil.example'],
      ];
      const answer = await send('/app/api?x=1', [...preflight, ...forged]);
      expect(answer.status).toBe(200);
      const { method, url, headers, body } = JSON.parse(answer.text) as Echo;
      expect([method, url, body]).toEqual(['OPTIONS', '/app/api?x=1', '']);
      const seen = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]));
      expect(seen.get('origin')).toBe('https://forum.example.net');
      expect(seen.get('access-control-request-method')).toBe('PUT');
      for (const name of ['cookie', 'authorization', 'remote-user', 'remote-email', 'remote-groups'])
        expect([name, seen.get(name) ?? '']).toEqual([name, '']);
      expect(answer.text).not.toMatch(/forged|evil/);
    });

    test('the program receives nothing that visitors claim in the place of a proxy', async () => {
      await club.setRules({ path: '/app', access: 'members' });
      const claims = [
        'X-Forwarded-User',
        'X-Authentik-Username',
        'X-Real-IP',
        'X-Original-Host',
        'Client-IP',
      ];
      const answer = await send('/app/api', [
        ...preflight,
        ...claims.map((name) => [name, 'forged'] as const),
      ]);
      expect([answer.status, answer.text.includes('forged')]).toEqual([200, false]);
    });

    test('a preflight opens no WebSocket', async () => {
      await club.setRules({ path: '/app', access: 'members' });
      const upgrade: HeaderLines = [
        ['Connection', 'Upgrade'],
        ['Upgrade', 'websocket'],
      ];
      const { text } = await send('/app/api', [...preflight, ...upgrade]);
      expect(text).not.toMatch(/"upgrade"/i);
    });

    test('no body of a preflight reaches the program, however it is sent', async () => {
      await club.setRules({ path: '/app', access: 'members' });
      const hidden = 'sent-with-a-preflight';
      const whole = await send('/app/api', preflight, hidden);
      const chunked = await send(
        '/app/api',
        [...preflight, ['Transfer-Encoding', 'chunked']],
        `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
      );
      const long = await send('/app/api', preflight, hidden.repeat(500));
      for (const { text } of [whole, chunked, long]) expect(text).not.toContain(hidden);
      expect((await send('/app/api', preflight, '7')).text).not.toContain('"body":"7"');
      // Gatehouse trims what nginx does not.
      for (const requested of ['PUT\t', '\tPUT', 'PUT \t ', '\t PUT']) {
        const headers = [preflight[0]!, ['Access-Control-Request-Method', requested] as const];
        const { text } = await send('/app/api', headers, hidden);
        expect([requested, text.includes(hidden)]).toEqual([requested, false]);
      }
    });

    test('another request with OPTIONS needs a login', async () => {
      await club.setRules({ path: '/app', access: 'members' });
      const [origin, requested] = preflight as [HeaderLines[number], HeaderLines[number]];
      for (const headers of [
        [],
        [origin],
        [requested],
        [...preflight, ['X-HTTP-Method-Override', 'GET'] as const],
        [...preflight, requested],
        [...preflight, ['Authorization', 'Bearer of-the-program'] as const],
        [...preflight, ['Cookie', 'theme=dark'] as const],
      ]) {
        const answer = await send('/app/api', [['Accept', '*/*'], ...headers]);
        expect([headers, answer.status]).toEqual([headers, 401]);
      }
      for (const method of ['GET', 'POST', 'PUT'])
        expect((await anonymous().request(method, '/app/api', { headers: preflight })).status).toBe(401);
      const member = await loggedIn(proxied, await club.linkOf(await club.createMember('ada@example.com')));
      expect((await member.get('/app/api')).text).toContain(club.secret);
    });

    test('no trick with a path gives access, to a preflight or to any other request', async () => {
      await club.setRules({ path: '/', access: 'public' }, { path: '/members', access: 'members' });
      const answers = await anonymous().getAll(pathTricks.map(({ target }) => target));
      expect(pathTricks.filter((_, index) => answers[index]!.text.includes(club.secret))).toEqual([]);
      await club.api('PUT', '/access-rules', {
        rules: [
          { path: '/', access: 'public', preflights: true },
          { path: '/members', access: 'members' },
        ],
      });
      for (let next = 0; next < pathTricks.length; next += 6) {
        const tricks = pathTricks.slice(next, next + 6);
        const sent = await Promise.all(tricks.map(({ target }) => send(target, preflight)));
        const passed = tricks.filter((_, index) => /"url":"[^"]*members/i.test(sent[index]!.text));
        expect(passed).toEqual([]);
      }
    });
  });
});
