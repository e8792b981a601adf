import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { faultsOfView, lacksBrowser, phone } from '../browser.ts';
import { aDomain, aMember } from '../contract/given.ts';
import { logInByEmail, MembersBrowser } from '../passkeys/passkey-browser.ts';
import { noteSkipped } from '../skipped.ts';
import { forOneStore } from '../stores.ts';
import type { TestSite } from '../test-server.ts';
import { useTestServer } from '../use-server.ts';
import { emailTo } from '../visitor.ts';
import { MockProvider } from './mock-provider.ts';
import { aProviderSite, unverified, verified } from './provider-site.ts';

const skipped = lacksBrowser();
if (skipped) noteSkipped('login providers, because Chromium is not installed.');

// The pages know no store.
forOneStore((store) => {
  describe.skipIf(skipped)('login providers, in a browser', () => {
    const server = useTestServer(store);
    let browser: MembersBrowser;
    let mock: MockProvider;
    let site: TestSite;
    let origin: string;

    beforeAll(async () => {
      browser = await MembersBrowser.start(server);
      mock = await MockProvider.start();
      site = (await aProviderSite(server, [mock])).site;
      origin = `https://${await aDomain(site)}`;
    });
    afterEach(() => browser?.closePages());
    afterAll(async () => {
      await browser?.stop();
      mock?.stop();
    });

    const accountPath = '/_gatehouse/account';
    const button = (page: Page) => page.getByRole('button', { name: 'Continue with Provider 1' });
    const isAccountOf = (page: Page, email: string) =>
      page.locator('.identity', { hasText: email }).waitFor();

    async function openLogin(options: BrowserContextOptions = {}): Promise<Page> {
      const page = await browser.open(options);
      await page.goto(`${origin}/_gatehouse/login?next=${accountPath}`);
      return page;
    }

    test.each([true, false])(
      'a press leads through the provider and back, with JavaScript: %s',
      async (script) => {
        const { email } = await aMember(site);
        mock.account = verified(email, email);
        const page = await openLogin({ javaScriptEnabled: script });
        await button(page).click();
        await isAccountOf(page, email);
        expect(new URL(page.url()).search).toBe('');
        // The pages between are not in the history, so that going back does not log in again.
        await page.goBack();
        expect(new URL(page.url()).pathname).toBe('/_gatehouse/login');
        expect(browser.faults).toEqual([]);
      },
    );

    test('an account with an address that is not verified is linked after the link of the email', async () => {
      const { email } = await aMember(site);
      mock.account = unverified(email, email);
      const page = await openLogin();
      await button(page).click();
      await page.getByRole('heading', { name: 'Check your email' }).waitFor();
      await page.goto((await emailTo(server, email)).url);
      await page.getByRole('heading', { name: 'Link this account?' }).waitFor();
      expect(await faultsOfView(page, 'link-account')).toEqual([]);
      await page.getByRole('button', { name: 'Link account' }).click();
      await isAccountOf(page, email);
      await page.locator('#linked-accounts .name', { hasText: email }).waitFor();
      expect(browser.faults).toEqual([]);
    });

    test('a member links an account on the account page, and removes it', async () => {
      const { id, email } = await aMember(site);
      mock.account = unverified('relay', 'relay@example.net');
      const page = await browser.open();
      await logInByEmail(page, site, id);
      await page.goto(origin + accountPath);
      await page.getByRole('button', { name: 'Link Provider 1' }).click();
      await page.getByText('Account linked.').waitFor();
      expect(await faultsOfView(page, 'linked-accounts')).toEqual([]);
      await page.getByRole('button', { name: 'Remove' }).click();
      await expect.poll(() => page.getByText('relay@example.net').count()).toBe(0);
      await isAccountOf(page, email);
      expect(browser.faults).toEqual([]);
    });

    test('the texts of Japanese buttons break between words on a narrow phone', async () => {
      const page = await openLogin({ locale: 'ja', viewport: { width: 320, height: 640 } });
      // About as wide as in a Japanese font, which a machine for tests may lack.
      await page.evaluate(
        `for (const { style } of document.querySelectorAll('button')) style.letterSpacing = '0.5em'`,
      );
      const lines = await page.evaluate<string[]>(linesOfButtons);
      expect(lines.filter((line) => line.includes('|'))).not.toEqual([]);
      // No word in katakana continues on the next line.
      expect(lines.filter((line) => /[ァ-ヴー]\|[ァ-ヴー]/.test(line))).toEqual([]);
    });

    test.each([
      ['desktop', {}],
      ['phone', { viewport: phone }],
      ['dark', { colorScheme: 'dark' }],
    ] as const)('the login page is accessible and fits its window: %s', async (name, options) => {
      const page = await openLogin(options);
      await button(page).waitFor();
      expect(await faultsOfView(page, `login-providers-${name}`)).toEqual([]);
    });
  });
});

/** The texts of all buttons, with a bar where a line ends. */
const linesOfButtons = `[...document.querySelectorAll('button')].map((element) => {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let [shown, top] = ['', undefined];
  while (texts.nextNode()) {
    for (const [index, character] of [...texts.currentNode.data].entries()) {
      const range = document.createRange();
      range.setStart(texts.currentNode, index);
      range.setEnd(texts.currentNode, index + 1);
      const box = range.getBoundingClientRect();
      if (box.width === 0) continue;
      if (top !== undefined && box.top > top + box.height / 2) shown += '|';
      top = box.top;
      shown += character;
    }
  }
  return shown;
})`;
