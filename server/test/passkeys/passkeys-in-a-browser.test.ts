import type { MemberPasskey } from '@gatehouse/contract';
import type { Page } from 'playwright-core';
import sql from 'sql-template-tag';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { faultsOfView, findTooWide, lacksBrowser, takePicture } from '../browser.ts';
import { aDomain, aMember } from '../contract/given.ts';
import { noteSkipped } from '../skipped.ts';
import { forOneStore } from '../stores.ts';
import type { TestSite } from '../test-server.ts';
import { useTestServer } from '../use-server.ts';
import { emailTo, Visitor } from '../visitor.ts';
import { Authenticator, logInByEmail, MembersBrowser, suggestNothing } from './passkey-browser.ts';

/** The narrowest window in which a page must not be scrolled sideways (WCAG 2.2, success criterion 1.4.10). */
const narrow = { width: 320, height: 800 };

const skipped = lacksBrowser();
if (skipped) noteSkipped('passkeys of members, because Chromium is not installed.');

// The pages know no store.
forOneStore((store) => {
  describe.skipIf(skipped)('passkeys of members, in a browser', () => {
    const server = useTestServer(store);
    let browser: MembersBrowser;
    let site: TestSite;
    let origin: string;

    beforeAll(async () => {
      browser = await MembersBrowser.start(server);
      site = await server.createSite();
      origin = `https://${await aDomain(site)}`;
    });
    afterEach(() => browser?.closePages());
    afterAll(() => browser?.stop());

    const account = () => `${origin}/_gatehouse/account`;
    const addButton = (page: Page) => page.getByRole('button', { name: 'Add a passkey' });
    const loginButton = (page: Page) => page.getByRole('button', { name: 'Log in with a passkey' });
    const passkeysOf = async (memberId: string): Promise<MemberPasskey[]> =>
      (await site.get(`/members/${memberId}/passkeys`)).body.data;
    const methodsOf = async (memberId: string): Promise<string[]> =>
      (await site.get(`/members/${memberId}/sessions`)).body.data.map(
        (session: { method: string }) => session.method,
      );

    /** A member who has added a passkey, in the browser that holds it, logged in. */
    async function withPasskey() {
      const member = await aMember(site);
      const page = await browser.open();
      const authenticator = await Authenticator.addTo(page);
      await logInByEmail(page, site, member.id);
      await page.goto(account());
      await authenticator.isTouched(true);
      await page.getByLabel('Name of the new passkey').fill('My laptop');
      await page.keyboard.press('Enter');
      await page.getByText('The passkey was added.').waitFor();
      await authenticator.isTouched(false);
      return { member, page, authenticator };
    }

    test('a member adds one on the account page, logs in with the button, and removes it', async () => {
      const { member, page, authenticator } = await withPasskey();
      expect(await passkeysOf(member.id)).toMatchObject([
        { name: 'My laptop', lastUsedAt: null, disabled: false },
      ]);
      await page.context().clearCookies();
      await suggestNothing(page);
      await page.goto(`${origin}/_gatehouse/login?next=/members?page=2`);
      await authenticator.isTouched(true);
      await loginButton(page).click();
      await page.waitForURL(`${origin}/members?page=2`);
      const cookies = (await page.context().cookies()).map(({ name }) => name).sort();
      expect(cookies).toEqual([
        '__Host-gatehouse_device',
        '__Host-gatehouse_form',
        '__Host-gatehouse_session',
      ]);
      expect(await methodsOf(member.id)).toEqual(['passkey', 'link']);
      await page.goto(account());
      // A login with a passkey does not allow adding another one.
      expect(await addButton(page).count()).toBe(0);
      await page.getByText('To add a passkey, log in by email again.').waitFor();
      await page.getByRole('button', { name: 'Remove', exact: true }).click();
      await page.getByText('The passkey was removed.').waitFor();
      expect(await passkeysOf(member.id)).toEqual([]);
    });

    test('the browser suggests it in the field for the email address', async () => {
      const { member, page, authenticator } = await withPasskey();
      await page.context().clearCookies();
      await authenticator.isTouched(true);
      await page.goto(`${origin}/_gatehouse/login?next=/members`);
      await page.waitForURL(`${origin}/members`);
      expect(await methodsOf(member.id)).toEqual(['passkey', 'link']);
    });

    test('the button is there at once, and only where it works', async () => {
      await withPasskey();
      const page = await browser.open();
      await page.goto(`${origin}/_gatehouse/login`);
      await loginButton(page).waitFor();
      const shifts = await page.evaluate<number>(`new Promise((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries().length)).observe({ type: 'layout-shift', buffered: true });
      setTimeout(() => resolve(0), 300);
    })`);
      expect(shifts).toBe(0);
      const withoutScript = await browser.open({ javaScriptEnabled: false });
      await withoutScript.goto(`${origin}/_gatehouse/login`);
      await withoutScript.getByRole('button', { name: 'Email me a login link' }).waitFor();
      expect(await loginButton(withoutScript).count()).toBe(0);
      const unsupported = await browser.open();
      await unsupported.addInitScript('delete globalThis.PublicKeyCredential');
      await unsupported.goto(`${origin}/_gatehouse/login`);
      expect(await loginButton(unsupported).count()).toBe(0);
    });

    /** Logs in with the link of an email, which is requested and opened in the same browser. */
    async function logInWithLink(page: Page, email: string, count = 1): Promise<void> {
      await page.goto(`${origin}/_gatehouse/login?next=/members`);
      await page.getByLabel('Email').fill(email);
      await page.getByRole('button', { name: 'Email me a login link' }).click();
      await page.waitForURL('**/check');
      await page.goto((await emailTo(server, email, count)).url);
    }

    test('it is offered once after a login by link, where the device can hold one', async () => {
      const { id, email } = await aMember(site);
      const other = await browser.open();
      await logInWithLink(other, email);
      await other.waitForURL(`${origin}/members`);

      const page = await browser.open();
      await Authenticator.addTo(page);
      await logInWithLink(page, email, 2);
      await page.waitForURL(`${origin}/_gatehouse/passkeys/offer?next=%2Fmembers`);
      await page.getByRole('link', { name: 'Not now' }).click();
      await page.waitForURL(`${origin}/members`);
      await page.context().clearCookies();
      await logInWithLink(page, email, 3);
      await page.waitForURL(`${origin}/members`);
      expect(await passkeysOf(id)).toEqual([]);
    });

    test('the offer adds one with one press, and leads on, also on another device than that of the login page', async () => {
      const { id, email } = await aMember(site);
      await new Visitor(site).requestLink(email, '/members');
      const page = await browser.open();
      const authenticator = await Authenticator.addTo(page);
      await page.goto((await emailTo(server, email)).url);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.waitForURL('**/passkeys/offer?next=%2Fmembers');
      await authenticator.isTouched(true);
      await addButton(page).click();
      await page.waitForURL(`${origin}/members`);
      expect(await passkeysOf(id)).toHaveLength(1);
      // A member who has one is not asked.
      await page.goto(`${origin}/_gatehouse/passkeys/offer?next=/members`);
      expect(page.url()).toBe(`${origin}/members`);
    });

    test('it is offered after a login with the code from the email too', async () => {
      const { email } = await aMember(site);
      const page = await browser.open();
      await Authenticator.addTo(page);
      await page.goto(`${origin}/_gatehouse/login?next=/members`);
      await page.getByLabel('Email').fill(email);
      await page.keyboard.press('Enter');
      await page.getByLabel('Code').fill((await emailTo(server, email)).code!);
      await page.waitForURL('**/passkeys/offer?next=%2Fmembers');
    });

    /** Uses the button in vain. */
    async function logInInVain(page: Page, authenticator: Authenticator): Promise<void> {
      await page.context().clearCookies();
      await suggestNothing(page);
      await authenticator.isTouched(true);
      await page.goto(`${origin}/_gatehouse/login`);
      await loginButton(page).click();
      await page.getByRole('alert').getByText('Logging in with the passkey failed.').waitFor();
      expect((await page.context().cookies()).map(({ name }) => name)).not.toContain(
        '__Host-gatehouse_session',
      );
    }

    test('a blocked member and one without the passkey cannot log in with it', async () => {
      const { member, page, authenticator } = await withPasskey();
      await site.patch(`/members/${member.id}`, { status: 'blocked' });
      await logInInVain(page, authenticator);
      await site.patch(`/members/${member.id}`, { status: 'active' });
      await site.delete(`/members/${member.id}/passkeys`);
      await logInInVain(page, authenticator);
    });

    test('at another domain it is listed as disabled, and works again when the former domain is back', async () => {
      const { member, page, authenticator } = await withPasskey();
      const [before, former] = [origin, await site.domain()];
      await site.patch('/site', { domain: `new-${former}` });
      origin = `https://new-${former}`;
      await logInInVain(page, authenticator);
      await logInByEmail(page, site, member.id);
      await page.goto(account());
      await page.getByText('Disabled: it was made for another domain of the site.').waitFor();
      await site.patch('/site', { domain: former });
      origin = before;
      await page.context().clearCookies();
      await page.goto(`${origin}/_gatehouse/login?next=/members`);
      await loginButton(page).click();
      await page.waitForURL(`${origin}/members`);
    });

    test('cannot be added more than ten minutes after the login', async () => {
      const member = await aMember(site);
      const page = await browser.open();
      const authenticator = await Authenticator.addTo(page);
      await authenticator.isTouched(true);
      await logInByEmail(page, site, member.id);
      await page.goto(account());
      const past = new Date(Date.now() - 11 * 60_000).toISOString();
      await server.database.transaction((tx) =>
        tx.run(sql`UPDATE sessions SET created_at = ${past} WHERE member_id = ${member.id}`),
      );
      await addButton(page).click();
      await page.getByRole('alert').getByText('To add a passkey, log in by email again.').waitFor();
      await page.reload();
      await page.getByRole('link', { name: 'Log in again' }).click();
      await page.waitForURL('**/_gatehouse/login?next=/_gatehouse/account');
      expect(await passkeysOf(member.id)).toEqual([]);
    });

    test('a lost device: after a login by email in a new browser, all can be removed', async () => {
      const { member, page } = await withPasskey();
      await page.goto(account());
      expect(await page.getByRole('button', { name: 'Remove all passkeys' }).count()).toBe(0);
      const other = await browser.open({ javaScriptEnabled: false });
      await logInByEmail(other, site, member.id);
      await other.goto(account());
      await other.getByText('This browser cannot add passkeys').waitFor();
      await other.getByRole('button', { name: 'Remove all passkeys' }).click();
      await other.getByText('All passkeys were removed.').waitFor();
      expect(await passkeysOf(member.id)).toEqual([]);
    });

    test('no other page of the host adds or removes one', async () => {
      const { member, page } = await withPasskey();
      await page.goto(`${origin}/_gatehouse/login`);
      const statuses = await page.evaluate<number[]>(`(async () => {
      const statuses = [];
      for (const path of ['options', 'add', 'delete', 'delete-all']) {
        const body = JSON.stringify({ formKey: 'A'.repeat(43), name: 'Key', response: {} });
        for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
          const answer = await fetch('/_gatehouse/passkeys/' + path, { method: 'POST', headers: { 'content-type': type }, body });
          statuses.push(answer.status);
        }
      }
      return statuses;
    })()`);
      expect(statuses).toEqual([403, 415, 403, 415, 403, 403, 403, 403]);
      expect(await passkeysOf(member.id)).toHaveLength(1);
    });

    test('every page fits a phone, in light and dark mode, for every reader', async () => {
      const { member, page } = await withPasskey();
      const { email } = await aMember(site);
      const offer = await browser.open();
      await Authenticator.addTo(offer);
      await logInWithLink(offer, email);
      const login = await browser.open();
      await login.goto(`${origin}/_gatehouse/login`);
      const lost = await browser.open();
      await logInByEmail(lost, site, member.id);
      await lost.goto(account());
      const faults: unknown[] = [];
      for (const [name, shown] of Object.entries({ account: page, offer, login, lost })) {
        await takePicture(shown, `pk-${name}-1280-light`);
        faults.push(...(await findTooWide(shown)));
        await shown.setViewportSize(narrow);
        faults.push(...(await faultsOfView(shown, `pk-${name}-320-light`)));
        await shown.emulateMedia({ colorScheme: 'dark' });
        faults.push(...(await faultsOfView(shown, `pk-${name}-320-dark`, { only: ['color-contrast'] })));
      }
      expect([...faults, ...browser.faults]).toEqual([]);
    });
  });
});
