import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { desktop, faultsOfView, findTooWide, lacksBrowser, takePicture, zoomed } from '../browser.ts';
import { aDomain, aGroup, aMember, aMembership, aSession } from '../contract/given.ts';
import { logInByEmail, MembersBrowser } from '../passkeys/passkey-browser.ts';
import { noteSkipped } from '../skipped.ts';
import { forOneStore } from '../stores.ts';
import type { TestSite } from '../test-server.ts';
import { useTestServer } from '../use-server.ts';

/** The narrowest window in which a page must not be scrolled sideways (WCAG 2.2, success criterion 1.4.10). */
const narrow = { width: 320, height: 640 };
const languages = ['en', 'de', 'fr', 'es', 'ja'];
const longWord = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';

const skipped = lacksBrowser();
if (skipped) noteSkipped('the pages of visitors in narrow windows, because Chromium is not installed.');

// The pages know no store.
forOneStore((store) => {
  describe.skipIf(skipped)('pages of visitors, in a browser', { timeout: 180_000 }, () => {
    const server = useTestServer(store);
    let browser: MembersBrowser;
    let site: TestSite;
    let origin: string;

    beforeAll(async () => {
      browser = await MembersBrowser.start(server);
      site = await server.createSite();
      origin = `https://${await aDomain(site)}`;
      const link = `https://example.org/${'x'.repeat(200)}`;
      await site.patch('/site', {
        title: longWord,
        maxSessions: 100,
        membersCreateTokens: true,
        signUp: { policy: 'open', domains: [] },
        links: { contact: 'mailto:office@example.org', upgrade: link, imprint: link, privacy: link },
      });
    });
    afterEach(() => browser?.closePages());
    afterAll(() => browser?.stop());

    /** The faults of a page in windows of each width, in each language, with everything unfolded. */
    async function faultsOfPage(page: Page, path: string): Promise<unknown[]> {
      const faults: unknown[] = [];
      for (const language of languages) {
        await site.patch('/site', { languages: [language] });
        await page.goto(origin + path);
        expect(await page.locator('html').getAttribute('lang')).toBe(language);
        await page.evaluate(`for (const each of document.querySelectorAll('details')) each.open = true`);
        for (const viewport of [narrow, zoomed, desktop]) {
          await page.setViewportSize(viewport);
          faults.push(...(await findTooWide(page)).map((fault) => [language, viewport.width, fault]));
          await takePicture(page, `visitor${path.replaceAll('/', '-')}-${language}-${viewport.width}`);
        }
      }
      await site.patch('/site', { languages });
      faults.push(...(await faultsOfView(page, `visitor${path.replaceAll('/', '-')}`)));
      await page.emulateMedia({ colorScheme: 'dark' });
      faults.push(
        ...(await faultsOfView(page, `visitor${path.replaceAll('/', '-')}-dark`, {
          only: ['color-contrast'],
        })),
      );
      await page.emulateMedia({ colorScheme: 'light' });
      return faults;
    }

    test('the pages of the login fit every window in every language', async () => {
      const page = await browser.open();
      expect(await faultsOfPage(page, '/_gatehouse/login')).toEqual([]);
      await page.getByRole('textbox').fill(`${'long-'.repeat(10)}@${'x'.repeat(60)}.example`);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/_gatehouse/check');
      expect(await faultsOfPage(page, '/_gatehouse/check')).toEqual([]);
      expect(browser.faults).toEqual([]);
    });

    test('the account of a member with much of everything is short, and fits every window', async () => {
      const displayName = 'الاسم الطويل جدا للعضوة فاطمة الزهراء بنت محمد';
      const member = await aMember(site, { displayName });
      for (let index = 0; index < 40; index += 1) {
        const { id } = await aGroup(site, { name: index % 2 ? `${longWord} ${index}` : `نادي ${index}` });
        await aMembership(site, id, member.id, index === 30 ? inTenDays() : undefined);
      }
      for (let index = 0; index < 60; index += 1) await aSession(site, member.id);
      const page = await browser.open({ javaScriptEnabled: false, viewport: narrow });
      await logInByEmail(page, site, member.id);
      await page.goto(`${origin}/_gatehouse/account`);
      const buttons = page.locator('form[action$="/sessions/end"] button');
      expect([await buttons.count(), await buttons.filter({ visible: true }).count()]).toEqual([60, 4]);
      const groups = page.locator('section', { has: page.getByRole('heading', { name: 'Your groups' }) });
      expect(await groups.locator('li').first().textContent()).toContain('in 10 days');
      expect(await groups.locator('li').filter({ visible: true }).count()).toBe(5);
      await groups.locator('summary').click();
      expect(await groups.locator('li').filter({ visible: true }).count()).toBe(40);
      await buttons.first().click();
      await page.waitForURL('**/_gatehouse/account');
      expect((await site.get(`/members/${member.id}/sessions?limit=100`)).body.data).toHaveLength(60);

      const withScripts = await browser.open();
      await logInByEmail(withScripts, site, member.id);
      expect(await faultsOfPage(withScripts, '/_gatehouse/account')).toEqual([]);
      expect(browser.faults).toEqual([]);
    });
  });
});

function inTenDays(): string {
  return new Date(Date.now() + 10.5 * 24 * 60 * 60 * 1000).toISOString();
}
