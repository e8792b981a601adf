import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Club, clubHost, loggedIn, startClub } from './club.ts';
import { nginx, type RunningProxy } from './proxies.ts';
import { type Door, Visitor } from './visitor.ts';

const executablePath = process.env.GATEHOUSE_TEST_CHROMIUM ?? '/usr/bin/chromium';
const leftOut = !process.env.CI && (nginx.leftOut() || !existsSync(executablePath));
if (leftOut) console.log('Left out: the way in with a browser, as nginx or Chromium is not installed.');

/** Where to put pictures of the pages; none are made without it. */
const pictures = process.env.GATEHOUSE_TEST_PICTURES;

const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };

describe.skipIf(leftOut)('in a browser, through nginx', { timeout: 180_000 }, () => {
  let club: Club;
  let running: RunningProxy;
  let browser: Browser;
  let door: Door;
  const contexts: BrowserContext[] = [];

  beforeAll(async () => {
    club = await startClub();
    running = await nginx.start(club.place);
    door = { port: running.httpsPort, host: clubHost, certificate: club.certificate };
    await club.api('PATCH', '/site', { title: 'Rowing Club', colour: '#0f766e' });
    await club.setRules(
      { path: '/', access: 'public' },
      { path: '/members', access: 'members' },
      { path: '/paying', access: 'paying_members' },
    );
    browser = await chromium.launch({
      executablePath,
      args: [
        `--host-resolver-rules=MAP ${clubHost}:443 127.0.0.1:${running.httpsPort}`,
        ...'--headless --no-sandbox --disable-gpu --disable-quic --no-first-run'.split(' '),
        ...'--disable-background-networking --disable-component-update --disable-sync'.split(' '),
      ],
    });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await running?.stop();
    await club?.stop();
  });

  /** A browser of its own; whatever goes wrong on its pages fails the test. */
  async function open(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: desktop, ...options });
    contexts.push(context);
    const page = await context.newPage();
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      if (/Content Security Policy|Refused/.test(message.text())) faults.push(message.text());
    });
    return page;
  }
  const faults: string[] = [];

  /** Looks whether a page fits and can be used by everybody, and makes a picture of it where those are wanted. */
  async function look(page: Page, name: string): Promise<void> {
    const fits = await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth');
    expect([name, fits]).toEqual([name, true]);
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate<AxeResults>('axe.run()');
    expect([name, violations.map(({ id, nodes }) => [id, nodes[0]?.html])]).toEqual([name, []]);
    if (!pictures) return;
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: path.join(pictures, `${name}.png`), fullPage: true });
  }

  async function askFor(
    page: Page,
    email: string,
    target = '/members/',
  ): Promise<{ link: string; code: string }> {
    await page.goto(`https://${clubHost}${target}`);
    await page.getByRole('textbox', { name: /mail/i }).fill(email);
    await page.getByRole('button').first().click();
    await page.waitForURL('**/_gatehouse/check');
    const { text } = await club.mailbox.next();
    const link = /https:\/\/\S+\/_gatehouse\/link\/[\w-]{43}/.exec(text)![0];
    return { link, code: /\b\d{3} ?\d{3}\b/.exec(text.replace(link, ''))![0] };
  }

  const shown = async (page: Page) => (await page.textContent('body'))!.includes(club.secret);

  test('the link of the mail, opened in the browser that asked, logs in by itself', async () => {
    await club.createMember('ada@example.com');
    const page = await open();
    const { link } = await askFor(page, 'ada@example.com', '/members/news.html');
    await page.goto(link);
    await page.waitForURL('**/members/news.html');
    expect(await shown(page)).toBe(true);
    const [cookie] = (await page.context().cookies()).filter(({ name }) => name.includes('session'));
    expect(cookie).toMatchObject({
      name: '__Host-gatehouse_session',
      secure: true,
      httpOnly: true,
      sameSite: 'Lax',
      path: '/',
    });

    // Somebody else uses up the links of the address, and the browser that has logged in before logs in again.
    await page.goto(`https://${clubHost}/_gatehouse/account`);
    await page.locator('form[action="/_gatehouse/sign-out"] button').click();
    const [device] = (await page.context().cookies()).filter(({ name }) => name.includes('device'));
    expect(device).toMatchObject({ name: '__Host-gatehouse_device', secure: true, httpOnly: true });
    const form = { email: 'ada@example.com' };
    while ((await new Visitor(door).post('/_gatehouse/login', form)).status === 303)
      await club.mailbox.next();
    const again = await askFor(page, 'ada@example.com');
    await page.getByRole('textbox').fill(again.code);
    await page.getByRole('button').first().click();
    await page.waitForURL('**/members/');
    expect(await shown(page)).toBe(true);
    expect(faults).toEqual([]);
  });

  test('the code of the mail, read elsewhere, logs in where it was asked for', async () => {
    await club.createMember('grace@example.com');
    const page = await open({ viewport: phone, isMobile: true });
    const { code } = await askFor(page, 'grace@example.com');
    await page.getByRole('textbox').fill(code === '111111' ? '222222' : '111111');
    await page.getByRole('button').first().click();
    expect(await shown(page)).toBe(false);
    await page.getByRole('textbox').fill(code);
    await page.getByRole('button').first().click();
    await page.waitForURL('**/members/');
    expect(await shown(page)).toBe(true);
    expect(faults).toEqual([]);
  });

  test('without JavaScript one press logs in', async () => {
    await club.createMember('joan@example.com');
    const page = await open({ javaScriptEnabled: false });
    const { link } = await askFor(page, 'joan@example.com');
    await page.goto(link);
    expect(page.url()).toBe(link);
    await page.getByRole('button').first().click();
    await page.waitForURL('**/members/');
    expect(await shown(page)).toBe(true);
  });

  test('a link on another device waits for a press, and a scanner that opened it first did no harm', async () => {
    await club.createMember('linus@example.com');
    const { link } = await askFor(await open(), 'linus@example.com');
    const scanner = new Visitor(door);
    for (let times = 0; times < 3; times += 1) {
      expect((await scanner.get(new URL(link).pathname)).status).toBe(200);
    }
    const other = await open();
    await other.goto(link);
    await other.waitForLoadState('networkidle');
    expect(other.url()).toBe(link);
    await other.getByRole('button').first().click();
    await other.waitForURL('**/members/');
    expect(await shown(other)).toBe(true);
    expect(faults).toEqual([]);
  });

  test('a member sees why not, changes the name, ends another session, and signs out', async () => {
    const id = await club.createMember('kim@example.com', { displayName: 'Kim' });
    await loggedIn(door, await club.linkOf(id));
    const page = await open();
    const { link } = await askFor(page, 'kim@example.com', '/paying/');
    await page.goto(link);
    await page.waitForURL('**/paying/');
    expect(await shown(page)).toBe(false);
    expect(await page.textContent('body')).toContain('kim@example.com');

    await page.goto(`https://${clubHost}/_gatehouse/account`);
    await page.getByRole('textbox').fill('Kim <b>Kimmel</b>');
    await page.locator('form[action="/_gatehouse/account"] button').click();
    await page.waitForURL('**/account?saved=yes');
    expect(await page.getByRole('textbox').inputValue()).toBe('Kim <b>Kimmel</b>');
    expect((await club.api('GET', `/members/${id}/sessions`)).body.data).toHaveLength(2);
    await page.locator('form[action="/_gatehouse/account/sessions/end"] button').first().click();
    await page.waitForURL('**/account');
    expect((await club.api('GET', `/members/${id}/sessions`)).body.data).toHaveLength(1);
    await page.locator('form[action="/_gatehouse/sign-out"] button').click();
    await page.goto(`https://${clubHost}/members/`);
    expect(page.url()).toContain('/_gatehouse/login?next=');
    expect(faults).toEqual([]);
  });

  test('the keyboard alone is enough to log in', async () => {
    await club.createMember('tab@example.com');
    const page = await open({ viewport: phone });
    await page.goto(`https://${clubHost}/members/`);
    await page.waitForFunction("document.activeElement?.getAttribute('name') === 'email'");
    await page.keyboard.type('tab@example.com');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/_gatehouse/check');
    const { text } = await club.mailbox.next();
    const code = /\b\d{3} ?\d{3}\b/.exec(text.replace(/https:\S+/g, ''))![0];
    const focused = () => page.evaluate("document.activeElement?.getAttribute('name')");
    for (let steps = 0; steps < 10 && (await focused()) !== 'code'; steps += 1)
      await page.keyboard.press('Tab');
    await page.keyboard.type(code);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/members/');
    expect(faults).toEqual([]);
  });

  test('every page fits a phone and a desk, in light and dark', async () => {
    await club.createMember('mary@example.com', { displayName: 'Mary Shelley' });
    for (const [kind, viewport, colorScheme] of [
      ['light-1280', desktop, 'light'],
      ['dark-1280', desktop, 'dark'],
      ['light-390', phone, 'light'],
      ['dark-390', phone, 'dark'],
    ] as const) {
      const page = await open({ viewport, colorScheme });
      const go = (target: string) => page.goto(`https://${clubHost}${target}`);
      await go('/members/');
      await look(page, `login-${kind}`);
      const { link, code } = await askFor(page, 'mary@example.com');
      await look(page, `check-${kind}`);
      await page.getByRole('textbox').fill(code === '000000' ? '000001' : '000000');
      await page.getByRole('button').first().click();
      await look(page, `wrong-code-${kind}`);
      const other = await open({ viewport, colorScheme });
      await other.goto(link);
      await look(other, `press-${kind}`);
      await other.getByRole('button').first().click();
      await other.waitForURL('**/members/');
      // In this browser the used link leads on, in another it is dead.
      await other.goto(link);
      expect(other.url()).toBe(`https://${clubHost}/`);
      await page.goto(link);
      await look(page, `dead-link-${kind}`);
      await other.goto(`https://${clubHost}/paying/`);
      await look(other, `no-access-${kind}`);
      await other.goto(`https://${clubHost}/_gatehouse/account`);
      await look(other, `account-${kind}`);
      await other.locator('form[action="/_gatehouse/sign-out"] button').click();
      await look(other, `signed-out-${kind}`);
    }
    expect(faults).toEqual([]);
  });
});
