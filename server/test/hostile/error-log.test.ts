import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuiltInSite, siteHost, startBuiltInSite } from '../built-in-site.ts';
import { isFullEffort } from '../effort.ts';
import { startApp } from '../gate/club.ts';
import { httpTricks } from '../gate/http-tricks.ts';
import { pathTricks } from '../gate/path-tricks.ts';
import { type ProxiedSite, sendBytes } from '../gate/visitor.ts';
import { forOneStore } from '../stores.ts';

const pages = ['/_gatehouse/login', '/_gatehouse/account', '/dashboard/login', '/dashboard/', '/'];
const prefixes = ['/_gatehouse', '/dashboard', '/dashboard/api', '/hooks', '/app'];
const form = 'Content-Type: application/x-www-form-urlencoded';
const shortWaitMilliseconds = 100;

const some = <Trick>(tricks: readonly Trick[]) =>
  tricks.filter((_, index) => isFullEffort || index % 8 === 0);

forOneStore((store) => {
  let built: BuiltInSite;
  let app: Awaited<ReturnType<typeof startApp>>;
  const lines: string[] = [];
  const errors = () => lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50);
  beforeAll(async () => {
    app = await startApp('secret');
    const siteUpstream = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
    const settings = { siteUpstream, rateLimitUnauthenticated: 3, trustedProxies: ['127.0.0.1'] };
    built = await startBuiltInSite(store, settings, (line) => lines.push(line));
    await built.setRules({ path: '/', access: 'public' }, { path: '/members', access: 'members' });
  });
  afterAll(() => app?.close());
  const ports = (): ProxiedSite[] => [
    { ...built.site, port: Number(new URL(built.server.address).port) },
    built.site,
  ];

  test('a request without Host is wrong at every page, and then over the limit', async () => {
    for (const to of ports()) {
      const statuses: string[] = [];
      // Below other paths the built-in server says that there is no site at this address.
      const own = to === built.site ? pages.slice(0, 2) : pages;
      for (const page of [...own, ...own]) {
        const [first = ''] = (await sendBytes(to, `GET ${page} HTTP/1.1\r\nConnection: close\r\n\r\n`)).split(
          '\r\n',
        );
        statuses.push(first.split(' ')[1]!);
      }
      expect(statuses.filter((status) => status !== '400' && status !== '429')).toEqual([]);
      expect(statuses.at(-1)).toBe('429');
    }
    expect(errors()).toEqual([]);
  });

  test('nothing that anybody can send is an error in the log', async () => {
    const head = `Host: ${siteHost}\r\nConnection: close\r\n`;
    const requests = [
      ...some(httpTricks('/members/')).map(({ request }) => request),
      ...some(pathTricks).map(({ target }) => Buffer.from(`GET ${target} HTTP/1.1\r\n${head}\r\n`, 'latin1')),
      ...prefixes.flatMap((prefix) =>
        some(pathTricks).map(({ target }) =>
          Buffer.from(`GET ${prefix}${target} HTTP/1.1\r\n${head}\r\n`, 'latin1'),
        ),
      ),
      ...pages.flatMap((page) => [
        `POST ${page} HTTP/1.1\r\n${head}Content-Type: text/plain\r\nContent-Length: 1\r\n\r\nx`,
        `POST ${page} HTTP/1.1\r\n${head}${form}\r\nContent-Length: 3\r\n\r\n%zz`,
        `POST ${page} HTTP/1.1\r\n${head}${form}\r\nContent-Length: 20000\r\n\r\n${'x'.repeat(20_000)}`,
        `POST ${page} HTTP/1.1\r\n${head}${form}\r\nContent-Length: 9\r\n\r\nx`,
        `QUERY ${page} HTTP/1.1\r\n${head}\r\n`,
        `GET ${page}?next=%00%0d%0a HTTP/1.1\r\n${head}Cookie: \x80=\xff; ;;=\r\n\r\n`,
        `GET ${page} HTTP/1.1\r\nHost: \xff\r\nHost: y\r\n\r\n`,
        `GET ${page} HTTP/1.0\r\n\r\n`,
      ]),
    ];
    for (const to of ports()) {
      for (let next = 0; next < requests.length; next += 40)
        await Promise.all(
          requests.slice(next, next + 40).map((bytes) => sendBytes(to, bytes, shortWaitMilliseconds)),
        );
    }
    expect(errors().slice(0, 3)).toEqual([]);
  });
});
