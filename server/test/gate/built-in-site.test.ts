import { cpSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleFolder } from '../../src/app/built-in-site.ts';
import { createFirstSite } from '../../src/app/start/first-start.ts';
import { migrate } from '../../src/storage/migrations/migrations.ts';
import { openDatabase } from '../../src/storage/open.ts';
import { desktop, faultsOfView, lacksBrowser, launchBrowser, phone } from '../browser.ts';
import { type BuiltInSite, folderOfTests, siteHost, startBuiltInSite } from '../built-in-site.ts';
import { freePort } from '../free-port.ts';
import { forOneStore } from '../stores.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import { emailTo } from '../visitor.ts';
import { writeSite } from './club.ts';

describe.skipIf(lacksBrowser())('in a browser, without a proxy', () => {
  forOneStore((store) => {
    let browser: Browser;
    let server: TestServer;
    let origin: string;
    const folder = path.join(folderOfTests(), 'site');

    beforeAll(async () => {
      cpSync(sampleFolder, folder, { recursive: true });
      const sitePort = await freePort();
      origin = `http://localhost:${sitePort}`;
      const databaseUrl = await store.freshUrl();
      const database = openDatabase(databaseUrl);
      await migrate(database);
      await createFirstSite(database, { url: origin, isSample: true }, new Date());
      await database.close();
      server = await startTestServer(store, { databaseUrl, settings: { siteFolder: folder, sitePort } });
      browser = await launchBrowser();
    });
    afterAll(() => browser?.close());

    test('a newcomer opens the sample site, logs in with the email, and sees what the groups allow', async () => {
      const page = await (await browser.newContext({ viewport: desktop })).newPage();
      await page.goto(origin);
      expect(await faultsOfView(page, 'sample-home')).toEqual([]);
      await page.getByRole('link', { name: 'For the group Course' }).click();
      await page.waitForURL('**/_gatehouse/login?next=%2Fcourse%2F');
      await page.getByRole('textbox', { name: /mail/i }).fill('ada@example.com');
      await page.getByRole('button').first().click();
      await page.waitForURL('**/_gatehouse/check');
      const { url } = await emailTo(server, 'ada@example.com');
      expect(url).toMatch(`${origin}/_gatehouse/link/`);
      await page.goto(url);
      await page.waitForURL(`${origin}/course/`);
      expect(await page.textContent('h1')).toBe('For the group Course');
      await page.setViewportSize(phone);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await faultsOfView(page, 'sample-course')).toEqual([]);
      await page.getByRole('link', { name: 'Your account' }).click();
      await page.getByRole('button', { name: 'Log out', exact: true }).click();
      await page.goto(`${origin}/members/`);
      expect(new URL(page.url()).pathname).toBe('/_gatehouse/login');
    });
  });

  forOneStore((store) => {
    const forumHost = 'forum.example.net';
    const wwwHost = `www.${siteHost}`;
    const secret = 'only for members of the club';
    let built: BuiltInSite;
    let browser: Browser;

    beforeAll(async () => {
      const folder = folderOfTests();
      writeSite(folder, secret);
      built = await startBuiltInSite(store, { siteFolder: folder });
      const address = `127.0.0.1:${built.site.port}`;
      const map = [siteHost, wwwHost, forumHost].map((host) => `MAP ${host}:80 ${address}`).join();
      browser = await launchBrowser(`--host-resolver-rules=${map}`);
    });
    afterAll(() => browser?.close());

    test('one login is valid on www. and on a forum of another domain, and one logout on all hosts', async () => {
      const hosts = [siteHost, wwwHost, forumHost];
      await built.api('PATCH', '/site', { hosts: hosts.map((domain) => ({ domain, scheme: 'http' })) });
      await built.setRules({ path: '/', access: 'public' }, { path: '/members', access: 'members' });
      await built.api('POST', '/members', { email: 'ada@example.com' });
      const page = await (await browser.newContext({ viewport: desktop })).newPage();
      await page.goto(`http://${forumHost}/members/news.html?page=2`);
      expect(new URL(page.url()).host).toBe(siteHost);
      await page.getByRole('textbox', { name: /mail/i }).fill('ada@example.com');
      await page.getByRole('button').first().click();
      await page.waitForURL('**/_gatehouse/check');
      await page.goto((await emailTo(built.server, 'ada@example.com')).url);
      await page.waitForURL(`http://${forumHost}/members/news.html?page=2`);
      for (const host of hosts) {
        await page.goto(`http://${host}/members/news.html`);
        expect([page.url(), await page.textContent('body')]).toEqual([
          `http://${host}/members/news.html`,
          expect.stringContaining(secret),
        ]);
      }
      await page.goto(`http://${siteHost}/_gatehouse/account`);
      await page.locator('form[action="/_gatehouse/logout"] button').click();
      for (const host of hosts) {
        await page.goto(`http://${host}/members/`);
        expect(new URL(page.url()).pathname).toBe('/_gatehouse/login');
      }
    });

    test('on plain http, only pages and forms of a browser lead to the login page', async () => {
      await built.setRules(
        { path: '/', access: 'members' },
        { path: '/', appliesTo: 'page', access: 'public' },
      );
      const page = await (await browser.newContext()).newPage();
      const statuses = new Map<string, number>();
      page.on('response', (response) => statuses.set(new URL(response.url()).pathname, response.status()));
      await page.goto(`http://${siteHost}/`);
      await page.evaluate(`(async () => {
        await fetch('/m/fetch');
        await fetch('/m/html', { headers: { accept: 'text/html, application/xhtml+xml' } });
        await fetch('/m/post', { method: 'POST', body: 'x' });
        const load = (tag, src) => new Promise((resolve) => {
          const fields = { src, onload: resolve, onerror: resolve };
          document.body.append(Object.assign(document.createElement(tag), fields));
        });
        await load('img', '/m/image');
        await load('script', '/m/script');
        await new Promise((resolve) => { new EventSource('/m/events').onerror = resolve; });
        const form = '<form method="post" action="/m/form"><button>Send</button></form>';
        document.body.insertAdjacentHTML('beforeend', form);
      })()`);
      await page.getByRole('button', { name: 'Send' }).click();
      await page.waitForURL(`http://${siteHost}/_gatehouse/login?unsent=yes`);
      const names = ['fetch', 'html', 'post', 'image', 'script', 'events', 'form'];
      expect(names.map((name) => [name, statuses.get(`/m/${name}`)])).toEqual(
        names.map((name) => [name, name === 'form' ? 302 : 401]),
      );
      await built.setRules({ path: '/', access: 'public' }, { path: '/members', access: 'members' });
    });

    test('without a setting, www. leads to the site', async () => {
      await built.api('PATCH', '/site', { hosts: [{ domain: siteHost, scheme: 'http' }] });
      const page = await (await browser.newContext()).newPage();
      await page.goto(`http://${wwwHost}/public/?x=1`);
      expect(page.url()).toBe(`http://${siteHost}/public/?x=1`);
    });
  });
});
