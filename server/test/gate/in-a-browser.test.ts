import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { desktop, faultsOfView, lacksBrowser, launchBrowser, phone, watchFaults } from '../browser.ts';
import { noteSkipped } from '../skipped.ts';
import { type Club, clubHost, type Echo, loggedIn, startClub } from './club.ts';
import { faultsOfCookies, namesOfOwnCookies } from './cookie-tricks.ts';
import { nginx, type RunningProxy } from './proxies.ts';
import { type ProxiedSite, Visitor } from './visitor.ts';

const leftOut = !process.env.CI && (nginx.leftOut() || lacksBrowser());
if (leftOut) noteSkipped('the login in a browser requires nginx and Chromium.');

describe.skipIf(leftOut)('in a browser, through nginx', { timeout: 180_000 }, () => {
  let club: Club;
  let running: RunningProxy;
  let browser: Browser;
  let proxied: ProxiedSite;

  beforeAll(async () => {
    club = await startClub();
    running = await nginx.start(club.upstreams);
    proxied = { port: running.httpsPort, host: clubHost, certificate: club.certificate };
    await club.api('PATCH', '/site', { title: 'Rowing Club', color: '#0f766e' });
    await club.setRules(
      { path: '/', access: 'public' },
      { path: '/members', access: 'members' },
      { path: '/paying', access: 'paying_members' },
    );
    browser = await launchBrowser(`--host-resolver-rules=MAP ${clubHost}:443 127.0.0.1:${running.httpsPort}`);
  }, 60_000);
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
  afterAll(async () => {
    await browser?.close();
    await running?.stop();
    await club?.stop();
  });

  /** A new browser; any error on its pages fails the test. */
  async function open(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: desktop, ...options });
    const page = await context.newPage();
    watchFaults(page, faults);
    return page;
  }
  const faults: string[] = [];

  /** Checks that a page fits its window and is accessible, in light mode and then in other color schemes. */
  async function look(page: Page, name: string): Promise<void> {
    const inLight = await faultsOfView(page, `${name}-light`);
    await page.emulateMedia({ colorScheme: 'dark' });
    const inDark = await faultsOfView(page, `${name}-dark`, { only: ['color-contrast'] });
    await page.emulateMedia({ colorScheme: 'light' });
    expect({ name, inLight, inDark }).toEqual({ name, inLight: [], inDark: [] });
  }

  async function requestLogin(
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

  /** Presses the button of a form, and waits for the page that answers it. */
  async function submit(page: Page, button: Locator): Promise<void> {
    await loaded(page, () => button.click());
  }

  /** Waits for the page that answers what is done. */
  async function loaded(page: Page, act: () => Promise<unknown>): Promise<void> {
    await Promise.all([page.waitForEvent('load'), act()]);
  }

  const shown = async (page: Page) => (await page.textContent('body'))!.includes(club.secret);

  test('the link of the email, opened in the browser that requested it, logs in automatically', async () => {
    await club.createMember('ada@example.com');
    const page = await open();
    const { link } = await requestLogin(page, 'ada@example.com', '/members/news.html');
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

    // Someone else uses up the login links of the address; a browser with an earlier login can still log in.
    await page.goto(`https://${clubHost}/_gatehouse/account`);
    await page.locator('form[action="/_gatehouse/logout"] button').click();
    const [device] = (await page.context().cookies()).filter(({ name }) => name.includes('device'));
    expect(device).toMatchObject({ name: '__Host-gatehouse_device', secure: true, httpOnly: true });
    const form = { email: 'ada@example.com' };
    while ((await new Visitor(proxied).post('/_gatehouse/login', form)).status === 303)
      await club.mailbox.next();
    const again = await requestLogin(page, 'ada@example.com');
    await page.getByRole('textbox').fill(again.code);
    await page.waitForURL('**/members/');
    expect(await shown(page)).toBe(true);
    expect(faults).toEqual([]);
  });

  test('the code of the email, read on another device, logs in where it was requested', async () => {
    await club.createMember('grace@example.com');
    const page = await open({ viewport: phone, isMobile: true });
    const { code } = await requestLogin(page, 'grace@example.com');
    await loaded(page, () => page.getByRole('textbox').fill(code === '111111' ? '222222' : '111111'));
    expect(await shown(page)).toBe(false);
    await page.getByRole('textbox').fill(code);
    await page.waitForURL('**/members/');
    expect(await shown(page)).toBe(true);
    expect(faults).toEqual([]);
  });

  test('the code is typed or pasted at once, and sent with its sixth digit, exactly once', async () => {
    await club.createMember('rosa@example.com');
    const page = await open();
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(new URLSearchParams(request.postData() ?? '').get('code')!);
    });
    const { code } = await requestLogin(page, 'rosa@example.com');
    sent.length = 0;
    const field = page.locator('[name=code]:focus');
    await field.waitFor();
    const wrong = code === '111111' ? '222222' : '111111';
    await page.keyboard.type(wrong.slice(1));
    // An input method may still change what it composes.
    const keyboard = await page.context().newCDPSession(page);
    await keyboard.send('Input.imeSetComposition', { text: '９', selectionStart: 1, selectionEnd: 1 });
    expect([await field.inputValue(), sent]).toEqual([`${wrong.slice(1)}９`, []]);
    await keyboard.send('Input.imeSetComposition', { text: '', selectionStart: 0, selectionEnd: 0 });
    await loaded(page, async () => {
      await page.keyboard.type(wrong[0]!);
      await page.keyboard.press('Enter');
    });
    expect(sent).toEqual([wrong]);
    expect(await field.inputValue()).toBe('');
    expect(await page.getByRole('alert').textContent()).toContain('Wrong code');
    expect(await field.getAttribute('aria-describedby')).toBe(
      await page.getByRole('alert').getAttribute('id'),
    );

    const pasted = ` ${code.slice(0, 3)}\u2013${code.slice(3)} `.replaceAll(/\d/g, fullWidth);
    await page.keyboard.insertText(pasted);
    await page.waitForURL('**/members/');
    expect(sent).toEqual([wrong, pasted]);
    expect(await shown(page)).toBe(true);
    expect(faults).toEqual([]);
  });

  test('without JavaScript the code is sent with the button', async () => {
    await club.createMember('kurt@example.com');
    const page = await open({ javaScriptEnabled: false });
    const { code } = await requestLogin(page, 'kurt@example.com');
    await page.locator('[name=code]:focus').waitFor();
    await page.keyboard.type(code);
    expect(page.url()).toContain('/_gatehouse/check');
    await page.getByRole('button').first().click();
    await page.waitForURL('**/members/');
    expect(await shown(page)).toBe(true);
  });

  test('without JavaScript one click logs in', async () => {
    await club.createMember('joan@example.com');
    const page = await open({ javaScriptEnabled: false });
    const { link } = await requestLogin(page, 'joan@example.com');
    await page.goto(link);
    expect(page.url()).toBe(link);
    await page.getByRole('button').first().click();
    await page.waitForURL('**/members/');
    expect(await shown(page)).toBe(true);
  });

  test.each([
    ['with JavaScript', true],
    ['without JavaScript', false],
  ])(
    'a double click on a slow line sends one email and logs in once, %s',
    async (title, javaScriptEnabled) => {
      const email = `${title.split(' ')[0]}@example.com`;
      const id = await club.createMember(email);
      const page = await open({ javaScriptEnabled });
      const line = await page.context().newCDPSession(page);
      await line.send('Network.enable');
      const speed = { offline: false, downloadThroughput: -1, uploadThroughput: -1 };
      const setDelay = (latency: number) =>
        line.send('Network.emulateNetworkConditions', { ...speed, latency });
      const expectedPosts = javaScriptEnabled ? 1 : 2;
      let posts = 0;
      page.on('request', (request) => {
        if (request.method() === 'POST') posts += 1;
      });
      const pressTwice = async () => {
        posts = 0;
        const { x, y } = (await page.locator('button[type=submit]').first().boundingBox())!;
        // So slow that the second press comes before the first response, also on a busy machine.
        await setDelay(5_000);
        await page.mouse.click(x + 20, y + 10);
        await page.waitForTimeout(60);
        await page.mouse.click(x + 20, y + 10);
        await expect.poll(() => posts).toBe(expectedPosts);
        await setDelay(300);
      };
      // The second press ends the first navigation, which `waitForURL` takes for a failure.
      const reached = async (address: RegExp) => {
        await expect.poll(() => page.url(), { timeout: 15_000 }).toMatch(address);
        await page.waitForLoadState();
      };

      await page.goto(`https://${clubHost}/members/`);
      await page.locator('[name=email]').fill(email);
      await pressTwice();
      await reached(/\/_gatehouse\/check$/);
      expect(posts).toBe(expectedPosts);
      const { text } = await club.mailbox.next();
      const [link] = /https:\/\/\S+\/_gatehouse\/link\/[\w-]{43}/.exec(text)!;
      const [code] = /\b\d{3} ?\d{3}\b/.exec(text.replace(link, ''))!;
      await page.locator('[name=code]').fill(code);
      // With JavaScript the sixth digit sends the code.
      if (!javaScriptEnabled) await pressTwice();
      await reached(/\/members\/$/);
      expect(await shown(page)).toBe(true);
      expect((await club.api('GET', `/members/${id}/sessions`)).body.data).toHaveLength(1);

      await page.goto(await club.linkOf(id));
      await pressTwice();
      await reached(/^https:\/\/[^/]+\/$/);
      expect(posts).toBe(expectedPosts);
      expect((await club.api('GET', `/members/${id}/sessions`)).body.data).toHaveLength(1);
      expect(club.mailbox.emails.filter(({ to }) => to.includes(email))).toHaveLength(1);
    },
  );

  test('a form can be sent again when its request has failed, and when its page is shown again', async () => {
    const page = await open();
    await page.clock.install();
    await page.goto(`https://${clubHost}/members/`);
    let posts = 0;
    await page.route('**/_gatehouse/login', (route) => {
      posts += 1;
      return route.abort('aborted');
    });
    const press = async () => {
      await page.getByRole('button').first().click({ noWaitAfter: true });
      await page.evaluate('document.readyState');
    };
    await page.locator('[name=email]').fill('nobody@example.com');
    for (let times = 0; times < 3; times += 1) await press();
    expect(posts).toBe(1);
    await page.clock.fastForward(5_000);
    await press();
    await expect.poll(() => posts).toBe(2);
    await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
    await press();
    await expect.poll(() => posts).toBe(3);
  });

  test('a link on another device waits for a click, and a scanner that opens it first changes nothing', async () => {
    await club.createMember('linus@example.com');
    const { link } = await requestLogin(await open(), 'linus@example.com');
    const scanner = new Visitor(proxied);
    for (let times = 0; times < 3; times += 1) {
      expect((await scanner.get(new URL(link).pathname)).status).toBe(200);
    }
    const other = await open();
    await other.goto(link);
    expect(await other.locator('script[src*=press]').count()).toBe(0);
    expect(other.url()).toBe(link);
    await other.getByRole('button').first().click();
    await other.waitForURL('**/members/');
    expect(await shown(other)).toBe(true);
    expect(faults).toEqual([]);
  });

  test('a member sees why access is denied, changes the name, ends another session, and logs out', async () => {
    const id = await club.createMember('kim@example.com', { displayName: 'Kim' });
    await loggedIn(proxied, await club.linkOf(id));
    const page = await open();
    const { link } = await requestLogin(page, 'kim@example.com', '/paying/');
    await page.goto(link);
    await page.waitForURL('**/paying/');
    expect(await shown(page)).toBe(false);
    expect(await page.textContent('body')).toContain('kim@example.com');

    await page.goto(`https://${clubHost}/_gatehouse/account`);
    await page.locator('input[name=displayName]').fill('Kim <b>Kimmel</b>');
    await page.locator('form[action="/_gatehouse/account"] button').click();
    await page.waitForURL('**/account?saved=yes');
    expect(await page.locator('input[name=displayName]').inputValue()).toBe('Kim <b>Kimmel</b>');
    expect((await club.api('GET', `/members/${id}/sessions`)).body.data).toHaveLength(2);
    await page.locator('form[action="/_gatehouse/account/sessions/end"] button').first().click();
    await page.waitForURL('**/account');
    expect((await club.api('GET', `/members/${id}/sessions`)).body.data).toHaveLength(1);
    await page.locator('form[action="/_gatehouse/logout"] button').click();
    await page.goto(`https://${clubHost}/members/`);
    expect(page.url()).toContain('/_gatehouse/login?next=');
    expect(faults).toEqual([]);
  });

  test('a program receives no cookie of Gatehouse, whatever cookies its pages set', async () => {
    await club.createMember('emmy@example.com');
    const page = await open();
    const { link } = await requestLogin(page, 'emmy@example.com');
    await page.goto(link);
    await page.waitForURL('**/members/');
    const host = clubHost.slice(clubHost.indexOf('.') + 1);
    for (const scope of ['path=/', 'path=/app', `path=/;domain=${host}`, `path=/app;domain=${clubHost}`]) {
      const decoys = namesOfOwnCookies.map(
        (name) => `document.cookie = '${name}=value-of-gatehouse;secure;${scope}'`,
      );
      await page.goto(`https://${clubHost}/app/public`);
      await page.evaluate([`document.cookie = 'theme=dark;path=/'`, ...decoys].join(';'));
      const echo: Echo = JSON.parse(
        await page.evaluate<string>(`fetch('/app/public').then((answer) => answer.text())`),
      );
      const cookies = echo.headers.filter(([name]) => /^cookie$/i.test(name)).map(([, value]) => value);
      expect([scope, faultsOfCookies({ note: scope, lines: [] }, cookies)]).toEqual([scope, []]);
      expect((await page.context().cookies()).some(({ name }) => name === '__Host-gatehouse_session')).toBe(
        true,
      );
    }
  });

  test('no script of the site reads the account page or acts as the member, whatever it does', async () => {
    const id = await club.createMember('lise@example.com', { displayName: 'Lise' });
    await club.api('PATCH', '/site', { membersCreateTokens: true });
    const page = await open();
    const { link } = await requestLogin(page, 'lise@example.com');
    await page.goto(link);
    await page.waitForURL('**/members/');
    const statuses: string[] = [];
    page.context().on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.startsWith('/_gatehouse/account'))
        statuses.push(`${response.request().method()} ${response.status()}`);
    });
    // The second page has the same policy for windows as pages of Gatehouse.
    for (const target of ['/', '/app/public']) {
      await page.goto(`https://${clubHost}${target}`);
      const read = await page.evaluate<string[]>(attackOfScript);
      expect(read.filter((text) => /lise@|formKey|gmt_/.test(text))).toEqual([]);
      expect(statuses.sort()).toEqual(['GET 200', 'GET 403', 'GET 403', 'POST 403', 'POST 403', 'POST 403']);
      statuses.length = 0;
    }
    // Frames are against the policy of the page, which the browser reports.
    faults.length = 0;
    const { displayName } = (await club.api('GET', `/members/${id}`)).body.data;
    const tokens = (await club.api('GET', `/members/${id}/access-tokens`)).body.data;
    expect([displayName, tokens]).toEqual(['Lise', []]);

    await page.goto(`https://${clubHost}/_gatehouse/account`);
    await page.locator('details:has(#tokenName) > summary').click();
    await page.locator('#tokenName').fill('Reader');
    await submit(page, page.locator('#tokenName ~ button'));
    expect(await page.textContent('body')).toMatch(/gmt_[\w-]{43}/);
    await page.reload();
    expect(await page.textContent('body')).toContain('was sent before');
    expect((await club.api('GET', `/members/${id}/access-tokens`)).body.data).toHaveLength(1);
  });

  test('the keyboard alone is enough to log in', async () => {
    await club.createMember('tab@example.com');
    const page = await open({ viewport: phone });
    await page.goto(`https://${clubHost}/members/`);
    await page.locator('[name=email]:focus').waitFor();
    await page.keyboard.type('tab@example.com');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/_gatehouse/check');
    const { text } = await club.mailbox.next();
    const code = /\b\d{3} ?\d{3}\b/.exec(text.replace(/https:\S+/g, ''))![0];
    await page.locator('[name=code]:focus').waitFor();
    await page.keyboard.type(code);
    await page.waitForURL('**/members/');
    expect(faults).toEqual([]);
  });

  test('every page fits a phone and a desktop, in light and dark mode', async () => {
    await club.createMember('mary@example.com', { displayName: 'Mary Shelley' });
    await club.api('PATCH', '/site', { membersCreateTokens: true });
    for (const viewport of [desktop, phone]) {
      const kind = viewport.width;
      const page = await open({ viewport });
      const go = (target: string) => page.goto(`https://${clubHost}${target}`);
      await go('/members/');
      await look(page, `login-${kind}`);
      const { link, code } = await requestLogin(page, 'mary@example.com');
      await look(page, `check-${kind}`);
      await loaded(page, () => page.getByRole('textbox').fill(code === '000000' ? '000001' : '000000'));
      await look(page, `wrong-code-${kind}`);
      const other = await open({ viewport });
      await other.goto(link);
      await look(other, `confirm-login-${kind}`);
      await other.getByRole('button').first().click();
      await other.waitForURL('**/members/');
      // In this browser the used link redirects; in another browser it is invalid.
      await other.goto(link);
      expect(other.url()).toBe(`https://${clubHost}/`);
      await page.goto(link);
      await look(page, `invalid-link-${kind}`);
      await other.goto(`https://${clubHost}/paying/`);
      await look(other, `no-access-${kind}`);
      await other.goto(`https://${clubHost}/_gatehouse/account`);
      await other.locator('details:has(#tokenName) > summary').click();
      await other.locator('#tokenName').fill('Podcast app');
      await submit(other, other.locator('#tokenName ~ button'));
      await look(other, `account-${kind}`);
      await submit(other, other.locator('form[action="/_gatehouse/logout"] button'));
      await look(other, `logged-out-${kind}`);
    }
    expect(faults).toEqual([]);
  });
});

function fullWidth(digit: string): string {
  return String.fromCodePoint('０'.codePointAt(0)! + Number(digit));
}

/**
 * A script of a page of the site, right after a press: it requests the account page, opens it in a frame and in a window,
 * and sends its form from the page, in a frame and in a window. Returns what it can read.
 */
const attackOfScript = `(async () => {
  const read = [];
  const account = '/_gatehouse/account';
  const note = async (text) => read.push(String(await text));
  const soon = () => new Promise((resolve) => setTimeout(resolve, 500));
  const opened = window.open(account);
  await note((await fetch(account)).text());
  const body = new URLSearchParams({ displayName: 'Eve' });
  await note((await fetch(account, { method: 'POST', body })).text());
  const frame = document.body.appendChild(document.createElement('iframe'));
  frame.name = 'inner';
  frame.src = account;
  const form = document.body.appendChild(document.createElement('form'));
  form.action = account;
  form.method = 'post';
  form.innerHTML = '<input name="displayName" value="Eve">';
  await soon();
  const look = (other) => {
    try {
      read.push(other.document.documentElement.outerHTML);
    } catch (error) {
      read.push(String(error));
    }
  };
  look(opened);
  look(frame.contentWindow);
  form.target = 'inner';
  form.submit();
  await soon();
  look(frame.contentWindow);
  form.target = '_blank';
  form.submit();
  await soon();
  return read;
})()`;
