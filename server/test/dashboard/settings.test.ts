import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { look, phone } from '../browser.ts';
import { commandsOn } from '../command-line.ts';
import type { TestServer } from '../test-server.ts';
import { Visitor } from '../visitor.ts';
import { skipsDashboard, startDashboard, useBrowser } from './dashboard-browser.ts';

describe.skipIf(skipsDashboard())('the sections of the settings', { timeout: 120_000 }, () => {
  const browser = useBrowser();
  let server: TestServer;

  beforeAll(async () => {
    server = await startDashboard();
  });

  async function open(options?: { viewport: typeof phone }) {
    const site = await server.createSite();
    const { slug } = (await site.get('/site')).body.data;
    const opened = await browser.open(server, site.siteId, 'owner', options);
    return {
      ...opened,
      site,
      go: (section: string) => opened.page.goto(`/dashboard/${slug}/settings${section}`),
    };
  }

  const heading = (page: Page, name: string) =>
    page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
  const saved = (page: Page) =>
    page.getByText('Unsaved changes', { exact: true }).waitFor({ state: 'hidden' });

  async function save(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await saved(page);
  }

  test('each has its own URL, and is left with unsaved changes only after a question', async () => {
    const { page, go, faults } = await open();
    await go('');
    await page.waitForURL('**/settings/site');
    await field(page, 'Title').fill('Rowers');
    const sections = page.getByRole('navigation', { name: 'Settings' });
    await sections.getByRole('link', { name: 'Appearance' }).click();
    await page.getByText('Leave this page?').waitFor();
    await page.getByRole('button', { name: 'Leave without saving' }).click();
    await heading(page, 'Appearance');
    expect(page.url()).toMatch(/\/settings\/look$/);
    expect(await sections.locator('[aria-current=page]').textContent()).toBe('Appearance');
    await page.goBack();
    await heading(page, 'Site');
    await go('/nothing');
    await heading(page, 'Page not found');
    expect(faults).toEqual([]);
  });

  test('on a phone they are in a menu, and the search finds them by what is in them', async () => {
    const { page, go, faults } = await open({ viewport: phone });
    await go('/site');
    await page.getByRole('main').getByRole('button', { name: 'Settings', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Sign-up' }).click();
    await heading(page, 'Sign-up');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search or go to…').fill('logo');
    await page.getByRole('group', { name: 'Settings' }).getByRole('button', { name: 'Appearance' }).click();
    await heading(page, 'Appearance');
    expect(faults).toEqual([]);
  });

  test('links are saved as URLs, and a wrong one is an error at its field', async () => {
    const { page, site, go, faults } = await open();
    await go('/links');
    await field(page, 'Contact').fill('office@example.org');
    await field(page, 'Legal notice').fill('http://example.org/imprint');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await field(page, 'Legal notice').and(page.locator('[aria-invalid=true]')).waitFor();
    await field(page, 'Legal notice').fill('example.org/imprint');
    await save(page);
    expect((await site.get('/site')).body.data.links).toEqual({
      contact: 'mailto:office@example.org',
      upgrade: null,
      imprint: 'https://example.org/imprint',
      privacy: null,
    });
    await look(page, 'settings-links-saved');
    expect(faults).toEqual([]);
  });

  test('texts of emails are saved in each language, unless somebody else has changed them', async () => {
    const { page, site, go, faults } = await open();
    const german = async () =>
      (await site.get('/email-texts')).body.data.find(
        ({ language }: { language: string }) => language === 'de',
      );
    await go('/texts');
    await field(page, 'Closing').fill('Visit www.example.org');
    await page.getByText('The preview does not show the last change yet').waitFor();
    const language = page.getByRole('combobox', { name: 'Language of the texts' });
    await language.click();
    await page.getByRole('option', { name: 'Deutsch' }).click();
    await field(page, 'Greeting').fill('Ahoi!');
    await page.getByText('5 of 100 characters').waitFor();
    await page.frameLocator('iframe').getByText('Ahoi!').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    // The language with the error is shown again.
    await page.getByText('without URLs and email addresses').waitFor();
    expect(await language.inputValue()).toBe('English');
    await page.getByRole('button', { name: 'Use the default' }).click();
    await save(page);
    expect((await german()).greeting).toBe('Ahoi!');

    await field(page, 'Closing').fill('See you!');
    await language.click();
    await page.getByRole('option', { name: 'Deutsch' }).click();
    await field(page, 'Greeting').fill('Moin!');
    await site.request('PUT', '/email-texts/de', {
      body: { greeting: 'Servus!', closing: null, welcome: null },
    });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    // The other language is saved.
    await page.getByText('Another operator has changed these texts: Deutsch').waitFor();
    await page.getByText('Saved: English').waitFor();
    expect((await site.get('/email-texts/en')).body.data.closing).toBe('See you!');
    await page.getByRole('button', { name: 'Load the saved version' }).click();
    await saved(page);
    expect(await field(page, 'Greeting').inputValue()).toBe('Servus!');
    expect((await german()).greeting).toBe('Servus!');
    await look(page, 'settings-texts');
    expect(faults).toEqual([]);
  });

  test('texts of emails that somebody else saves at the same moment are not overwritten', async () => {
    const { page, site, go } = await open();
    const put = (greeting: string) =>
      site.request('PUT', '/email-texts/en', { body: { greeting, closing: null, welcome: null } });
    await go('/texts');
    await field(page, 'Greeting').fill('Hi!');
    await page.route('**/email-texts/en', async (route) => {
      const seen = await route.fetch();
      if (route.request().method() === 'GET') await put('Ahoy!');
      await route.fulfill({ response: seen });
    });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Another operator has changed these texts: English').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await field(page, 'Greeting').inputValue()).toBe('Hi!');
    await page.getByRole('button', { name: 'Discard' }).click();
    await saved(page);
    expect(await field(page, 'Greeting').inputValue()).toBe('Ahoy!');
    expect((await site.get('/email-texts/en')).body.data.greeting).toBe('Ahoy!');
  });

  test('a text of emails that is not saved leaves those of the languages before it saved', async () => {
    const { page, site, go } = await open();
    await go('/texts');
    await field(page, 'Greeting').fill('Hi!');
    const language = page.getByRole('combobox', { name: 'Language of the texts' });
    await language.click();
    await page.getByRole('option', { name: 'Deutsch' }).click();
    await field(page, 'Closing').fill('www.example.org');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Not saved: Deutsch').waitFor();
    await page.getByText('without URLs and email addresses').waitFor();
    expect((await site.get('/email-texts/en')).body.data.greeting).toBe('Hi!');
    await field(page, 'Closing').fill('Bis bald!');
    await save(page);
    expect((await site.get('/email-texts/de')).body.data.closing).toBe('Bis bald!');
  });

  test('what is typed while texts of emails are saved stays in its field', async () => {
    const { page, site, go } = await open();
    await go('/texts');
    await field(page, 'Greeting').fill('Hi!');
    await page.route('**/email-texts/en', async (route) => {
      if (route.request().method() === 'PUT') await field(page, 'Greeting').fill('Hi all!');
      await route.continue();
    });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The settings were saved').waitFor();
    expect(await field(page, 'Greeting').inputValue()).toBe('Hi all!');
    expect((await site.get('/email-texts/en')).body.data.greeting).toBe('Hi!');
    await page.unroute('**/email-texts/en');
    await save(page);
    expect((await site.get('/email-texts/en')).body.data.greeting).toBe('Hi all!');
  });

  test('all members are logged out after a question, and the page says how many sessions have ended', async () => {
    const { page, site, go, faults } = await open();
    await site.patch('/site', { domain: 'club.example.org' });
    const { id } = (await site.post('/members', { email: 'ada@example.com' })).body.data;
    const link = (await site.post(`/members/${id}/login-links`, { send: false })).body.data;
    await new Visitor(site).post(new URL(link.url).pathname, {});
    expect((await site.get(`/members/${id}/sessions`)).body.data).toHaveLength(1);
    await go('/danger');
    await page.getByRole('main').getByRole('link', { name: 'Your account' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Operators' }).waitFor();
    const button = page.getByRole('button', { name: 'Log all members out' });
    await button.click();
    await page.getByRole('dialog').getByText('There is 1 session at the moment.').waitFor();
    await look(page, 'settings-danger-question');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await button.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Log all members out' }).click();
    await page.getByText('1 session has ended').waitFor();
    expect((await site.get(`/members/${id}/sessions`)).body.data).toEqual([]);
    await look(page, 'settings-danger');
    expect(faults).toEqual([]);
  });

  test('the danger zone says when the site is suspended, and how it is opened again', async () => {
    const { page, site, go, faults } = await open();
    const run = commandsOn(server.databaseUrl);
    const { slug } = (await site.get('/site')).body.data;
    await go('/danger');
    await page.getByText(`./gatehouse site suspend ${slug}`, { exact: true }).waitFor();
    const resume = page.getByText(`./gatehouse site resume ${slug}`, { exact: true });
    expect(await resume.count()).toBe(0);
    expect((await run(['site', 'suspend', slug])).exitCode).toBe(0);
    await resume.waitFor();
    await look(page, 'settings-danger-suspended');
    expect((await run(['site', 'resume', slug])).exitCode).toBe(0);
    await resume.waitFor({ state: 'hidden' });
    expect(faults).toEqual([]);
  });
});
