import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { aMember, aSession } from '../contract/given.ts';
import { effort } from '../effort.ts';
import { HostBrowser } from '../host-browser.ts';
import { forOneStore } from '../stores.ts';
import type { TestSite } from '../test-server.ts';
import { useTestServer } from '../use-server.ts';

const id = randomUUID();
const club = `${id}.example.com`;
const forum = `forum.${id}.example.org`;
const redirected = `old.${club}`;

const beginnings = [
  '',
  '/',
  '//',
  '///',
  '////',
  '\\',
  '/\\',
  '\\\\',
  '\\/',
  '//\\',
  '/\\/',
  '/%5c',
  '/%2f',
  '%2f%2f',
  '/%252f',
  '/%09/',
  '/%0d%0a/',
  '/%00/',
  '/\t/',
  '\t//',
  '/\n/',
  '/\r\n/',
  '/ /',
  ' //',
  '/\v/',
  '/\0/',
  '\u2028//',
  '/.//',
  '/..//',
  '/a/..//',
  '/./\\',
  '/;//',
  '/?//',
  '/#//',
  '?//',
  '#//',
  '/@',
  '@',
  '.',
  ':',
  '/:',
  ';//',
  'http://',
  'https://',
  'https:',
  'https:/',
  'https:///',
  'https:\\\\',
  'HtTpS://',
  'ftp://',
  'ws://',
  'file://',
  'javascript:',
  'data:text/html,',
  'blob:https://',
  'view-source:https://',
  'about:',
  '／／',
  '/／',
  '／／/',
  '⁄⁄',
  '/_gatehouse/..//',
  '/_gatehouse/login?next=//',
  '/_gatehouse/host?host=',
  '/%2e%2e//',
  '/%u002f/',
  '/\u00ad/',
];
const hosts = [
  'evil.example',
  'evil.example/',
  'evil.example/..',
  'evil.example:443',
  'evil.example\\',
  'evil%2eexample',
  `${club}@evil.example`,
  `${club}.evil.example`,
  `evil.example#${club}`,
  `evil.example?${club}`,
  '[::1]',
  `evil.example\\@${club}`,
  'evil。example',
  '2130706433',
];
const allPayloads = [...new Set(beginnings.flatMap((beginning) => hosts.map((host) => beginning + host)))];
/** Even when only some are tried, each beginning and each host is among them. */
const payloads = allPayloads.filter((_, index) => index % effort.redirectTargetsStep === 0);

/** As many tickets as a session may request in a while. */
const ticketsOfSession = 100;

// The addresses are checked before any store is asked.
forOneStore((store) => {
  const settings = { trustedProxies: ['127.0.0.1'], loginLimitClient: 0 };
  const server = useTestServer(store, { settings });
  let site: TestSite;
  let memberId: string;

  beforeAll(async () => {
    site = await server.createSite();
    const all = [{ domain: club }, { domain: forum }, { domain: redirected, redirect: true }];
    expect((await site.patch('/site', { hosts: all })).status).toBe(200);
    memberId = (await aMember(site)).id;
  });

  async function loggedIn(): Promise<HostBrowser> {
    const browser = new HostBrowser(server);
    browser.cookiesOf(club).set('__Host-gatehouse_session', (await aSession(site, memberId)).token);
    return browser;
  }

  const urlOf = (host: string, path: string, query: Record<string, string>) =>
    `https://${host}/_gatehouse/${path}?${new URLSearchParams(query)}`;

  /** Where a browser goes from a page of a host. */
  const hostOf = (location: string | undefined, from: string) => new URL(location!, `https://${from}`).host;

  test('there are at least 600 payloads, and each part is in one that is tried', () => {
    expect(allPayloads.length).toBeGreaterThanOrEqual(600);
    for (const beginning of beginnings)
      expect(payloads.some((each) => each.startsWith(beginning))).toBe(true);
    for (const host of hosts) expect(payloads.some((each) => each.endsWith(host))).toBe(true);
  });

  test('no host but those of the site gets a ticket', async () => {
    const browser = await loggedIn();
    const use = { browser: 'a'.repeat(64), next: '/' };
    for (const payload of payloads) {
      for (const host of [payload, forum + payload]) {
        const { status, headers } = await browser.send('GET', urlOf(club, 'host', { ...use, host }));
        expect([host, status, headers.location]).toEqual([host, 400, undefined]);
      }
    }
  });

  test('after the login at another host the browser stays on it', async () => {
    for (let first = 0; first < payloads.length; first += ticketsOfSession) {
      const browser = await loggedIn();
      for (const next of payloads.slice(first, first + ticketsOfSession)) {
        const start = await browser.send('GET', urlOf(forum, 'login', { next }));
        expect([next, hostOf(start.headers.location, forum)]).toEqual([next, club]);
        const primary = new URL(start.headers.location!);
        // An address that the first host did not check.
        primary.searchParams.set('next', next);
        const back = await browser.send('GET', primary.href);
        expect([next, hostOf(back.headers.location, club)]).toEqual([next, forum]);
        const entered = await browser.send('GET', back.headers.location!);
        expect([next, hostOf(entered.headers.location, forum)]).toEqual([next, forum]);
      }
    }
  });

  test('the login page leads back to its own host', async () => {
    for (const next of payloads) {
      const { text } = await new HostBrowser(server).send('GET', urlOf(club, 'login', { next }));
      const fields = [...text.matchAll(/name="next" value="([^"]*)"/g)];
      expect([next, ...fields.map(([, value]) => hostOf(value, club))]).toEqual([next, club]);
    }
  });

  test('visits of a redirected host lead to the primary host', async () => {
    const browser = new HostBrowser(server);
    for (const payload of payloads) {
      // Other characters cannot be in a header.
      const target = encodeURI(payload).replaceAll('%25', '%');
      const denied = { 'x-forwarded-host': redirected, 'x-original-uri': target };
      const forwarded = { 'x-forwarded-host': redirected, 'x-forwarded-uri': target };
      for (const [path, headers] of [
        ['denied', denied],
        ['forward-auth', forwarded],
      ] as const) {
        const answer = await browser.send('GET', `https://${redirected}/_gatehouse/${path}`, { headers });
        expect([target, hostOf(answer.headers.location, redirected)]).toEqual([target, club]);
      }
    }
  });
});
