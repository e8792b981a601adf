import type { AccessRule } from '@gatehouse/contract';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { desktop, lacksBrowser, launchBrowser, watchFaults } from '../browser.ts';
import { type Club, clubHost, forumHost, startClub, wwwHost } from './club.ts';
import { pathTricks } from './path-tricks.ts';
import { caddy, nginx, type RunningProxy } from './proxies.ts';
import { type ProxiedSite, Visitor } from './visitor.ts';

/** A site with `www.` and with a forum on another domain, behind the configurations of the guides. */
describe.each([nginx, caddy])('several hosts behind $name', { timeout: 60_000 }, (proxy) => {
  const leftOut = !process.env.CI && (proxy.leftOut() || lacksBrowser());
  describe.skipIf(leftOut)('in a browser', () => {
    let club: Club;
    let running: RunningProxy;
    let browser: Browser;
    const faults: string[] = [];

    beforeAll(async () => {
      club = await startClub();
      const withHosts = (configuration: string) =>
        [wwwHost, forumHost].reduce((text, host) => proxy.withHost(text, host), configuration);
      running = await proxy.start(club.upstreams, withHosts);
      const address = `127.0.0.1:${running.httpsPort}`;
      const map = ['*.example.org', '*.example.net'].map((host) => `MAP ${host}:443 ${address}`).join();
      browser = await launchBrowser(`--host-resolver-rules=${map}`);
    });
    afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
    afterAll(async () => {
      await browser?.close();
      await running?.stop();
      await club?.stop();
    });

    const setHosts = (...hosts: object[]) => club.api('PATCH', '/site', { hosts });
    const closed = () =>
      club.setRules({ path: '/', access: 'public' }, { path: '/members', access: 'members' });
    const at = (host: string): ProxiedSite => ({
      port: running.httpsPort,
      host,
      certificate: club.certificate,
    });

    async function open() {
      const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: desktop });
      const page = await context.newPage();
      watchFaults(page, faults);
      return page;
    }

    /** Opens a page that requires a login, and logs in with the link of the email. */
    async function logInAt(url: string, email: string) {
      await club.createMember(email);
      const page = await open();
      await page.goto(url);
      await page.getByRole('textbox', { name: /mail/i }).fill(email);
      await page.getByRole('button').first().click();
      await page.waitForURL('**/_gatehouse/check');
      expect(new URL(page.url()).host).toBe(clubHost);
      const { text } = await club.mailbox.next();
      await page.goto(/https:\/\/\S+\/_gatehouse\/link\/[\w-]{43}/.exec(text)![0]);
      await page.waitForURL('**/members/**');
      return page;
    }

    test('one login is valid on a forum of another domain, and one logout on all hosts', async () => {
      await setHosts({ domain: clubHost }, { domain: forumHost });
      await closed();
      const page = await logInAt(`https://${forumHost}/members/news.html`, 'ada@example.com');
      expect(page.url()).toBe(`https://${forumHost}/members/news.html`);
      expect(await page.textContent('body')).toContain(club.secret);
      await page.goto(`https://${clubHost}/members/`);
      expect(await page.textContent('body')).toContain(club.secret);
      const cookies = (await page.context().cookies()).filter(({ name }) =>
        name.endsWith('gatehouse_session'),
      );
      const facts = cookies.map(({ name, domain, secure, httpOnly }) => ({ name, domain, secure, httpOnly }));
      const cookie = { name: '__Host-gatehouse_session', secure: true, httpOnly: true };
      expect(facts.sort((one, other) => one.domain.localeCompare(other.domain))).toEqual([
        { ...cookie, domain: clubHost },
        { ...cookie, domain: forumHost },
      ]);
      // The account is on the primary host.
      await page.goto(`https://${forumHost}/_gatehouse/account`);
      expect(page.url()).toBe(`https://${clubHost}/_gatehouse/account`);
      await page.locator('form[action="/_gatehouse/logout"] button').click();
      for (const host of [clubHost, forumHost]) {
        await page.goto(`https://${host}/members/`);
        expect(await page.textContent('body')).not.toContain(club.secret);
        expect(new URL(page.url()).pathname).toBe('/_gatehouse/login');
      }
      expect(faults).toEqual([]);
    });

    test('another address on the page of a denied visitor of the forum leads to the login and back', async () => {
      await setHosts({ domain: clubHost }, { domain: forumHost });
      await closed();
      const page = await logInAt(`https://${forumHost}/members/`, 'alan@example.com');
      await club.setRules({ path: '/', access: 'paying_members' });
      await page.goto(`https://${forumHost}/members/`);
      await page.locator('form[action="/_gatehouse/logout"] button').click();
      await page.waitForURL(`https://${clubHost}/_gatehouse/login**`);
      expect(faults).toEqual([]);
    });

    test('with www. a site is redirected without a setting, and has pages of its own with one', async () => {
      await setHosts({ domain: clubHost });
      await closed();
      const page = await logInAt(`https://${wwwHost}/members/news.html?page=2`, 'grace@example.com');
      expect(page.url()).toBe(`https://${clubHost}/members/news.html?page=2`);
      expect(await page.textContent('body')).toContain(club.secret);
      await page.goto(`https://${wwwHost}/`);
      expect(page.url()).toBe(`https://${clubHost}/`);
      await setHosts({ domain: clubHost }, { domain: wwwHost });
      await page.goto(`https://${wwwHost}/members/news.html`);
      expect(page.url()).toBe(`https://${wwwHost}/members/news.html`);
      expect(await page.textContent('body')).toContain(club.secret);
    });

    test('no path trick opens a host that a rule closes', async () => {
      await setHosts({ domain: clubHost }, { domain: forumHost });
      const targets = pathTricks.map(({ target }) => target);
      const opened = async () => {
        const answers = await new Visitor(at(forumHost)).getAll(targets);
        return targets.filter((_, index) => answers[index]!.text.includes(club.secret));
      };
      const everybody: AccessRule = { path: '/', access: 'public' };
      const forum: AccessRule = { path: '/', access: 'members', hosts: [forumHost] };
      await club.setRules(everybody, { ...forum, programPaths: true });
      expect(await opened()).toEqual([]);
      for (const programPaths of [true, false]) {
        await club.setRules(everybody, forum, { ...forum, path: '/public', access: 'public', programPaths });
        expect(await opened()).toEqual([]);
      }
      expect((await new Visitor(at(clubHost)).get('/members/')).text).toContain(club.secret);
      expect((await new Visitor(at(forumHost)).get('/public/')).text).toContain('for everybody');
    });
  });
});
