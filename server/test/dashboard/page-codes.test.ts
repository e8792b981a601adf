import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { desktop, look, phone } from '../browser.ts';
import type { TestServer, TestSite } from '../test-server.ts';
import { skipsDashboard, startDashboard, turnTo, untilStill, useBrowser } from './dashboard-browser.ts';

describe.skipIf(skipsDashboard())('page codes in the dashboard', { timeout: 120_000 }, () => {
  const browser = useBrowser();
  let server: TestServer;
  let site: TestSite;
  let address: string;

  beforeAll(async () => {
    server = await startDashboard();
    site = await server.createSite();
    const { slug } = (await site.get('/site')).body.data;
    await site.patch('/site', { title: 'Rowing Club', domain: `${slug}.example.org` });
    address = `/dashboard/${slug}/rules`;
  });

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const dialog = (page: Page) => page.getByRole('dialog');
  const codes = async () => (await site.get('/page-codes')).body.data;
  const rules = async () => (await site.get('/access-rules')).body.data.rules;

  async function lookAt(page: Page, name: string): Promise<void> {
    for (const viewport of [phone, desktop]) {
      await page.setViewportSize(viewport);
      await untilStill(page);
      await look(page, `${name}-${viewport.width}`);
    }
  }

  async function act(page: Page, label: string, action: string): Promise<void> {
    await button(page, `Actions for ${label}`).click();
    await page.getByRole('menuitem', { name: action }).click();
  }

  test('a code is created in the dialog of a rule, and the rule accepts it beside members', async () => {
    const { page, faults } = await browser.open(server, site.siteId);
    await page.goto(address);
    await button(page, 'Add a rule').click();
    await dialog(page).getByRole('textbox', { name: 'Path' }).fill('/class');
    await dialog(page).getByRole('button', { name: 'More' }).click();
    await dialog(page).getByRole('checkbox', { name: 'Also with a page code' }).check();
    await button(page, 'Apply').click();
    await dialog(page).getByText('Choose at least one page code.').waitFor();
    await button(page, 'New page code').click();
    const label = dialog(page).getByRole('textbox', { name: 'Label' });
    await button(page, 'Create the code').click();
    await dialog(page).getByText('Enter a label.').waitFor();
    await label.fill('Class 7b');
    await label.press('Enter');
    await dialog(page).getByText('Anyone who knows this code can enter it.').waitFor();
    const [code] = await codes();
    expect(code).toMatchObject({ label: 'Class 7b', type: 'words', maxUses: null, expiresAt: null });
    expect(await dialog(page).getByLabel('Class 7b', { exact: true }).innerText()).toBe(code.code);
    await button(page, 'Done').click();
    await button(page, 'Apply').click();
    await page.getByText('or with the page code').waitFor();
    await button(page, 'Save').click();
    await page.getByText('Unsaved changes', { exact: true }).waitFor({ state: 'hidden' });
    const anyOf = [{ access: 'members' }, { access: 'code', pageCodeIds: [code.id] }];
    expect(await rules()).toEqual([{ path: '/class', access: 'conditional', anyOf }]);

    await page.getByRole('textbox', { name: 'Path or URL' }).fill('/class/notes');
    const results = page.getByRole('list', { name: 'Conditions' }).getByRole('listitem');
    await results.getByText('Page code not entered').waitFor();
    await page.getByRole('combobox', { name: 'Page codes entered' }).click();
    await page.getByRole('option', { name: 'Class 7b' }).click();
    await page.getByText('Allowed', { exact: true }).waitFor();
    expect(await results.allInnerTexts()).toEqual([
      expect.stringMatching(/^Members\s+Not logged in$/),
      expect.stringMatching(/^page code Class 7b\s+Met$/),
    ]);
    await lookAt(page, 'rules-with-a-page-code');
    expect(faults).toEqual([]);
  });

  test('a code is shown, enlarged, changed, replaced and revoked', async () => {
    const { page, faults } = await browser.open(server, site.siteId);
    const [known] = await codes();
    await page.goto(address);
    await page.getByRole('link', { name: 'Page codes' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Class 7b' });
    await row.getByText('For /class').waitFor();
    expect(await page.getByText(known.code).count()).toBe(0);
    await button(page, 'Show the code of Class 7b').click();
    await row.getByText(known.code).waitFor();
    await act(page, 'Class 7b', 'Print large');
    await dialog(page).getByText(known.code).waitFor();
    await dialog(page)
      .getByText(/example\.org\/class$/)
      .waitFor();
    await lookAt(page, 'page-code-large');
    await page.keyboard.press('Escape');
    await act(page, 'Class 7b', 'Edit');
    await dialog(page).getByRole('textbox', { name: 'Label' }).fill('Class 8b');
    await dialog(page).getByRole('textbox', { name: 'Maximum number of uses' }).fill('60');
    await dialog(page).getByLabel('Last day').fill('2090-12-31');
    await button(page, 'Save').click();
    await page.getByText('0 of 60').waitFor();
    await page.getByText('Dec 31, 2090').waitFor();
    await act(page, 'Class 8b', 'New code');
    await dialog(page).getByText('Nobody has entered it yet.').waitFor();
    await dialog(page).getByRole('radio', { name: 'Choose my own' }).check();
    await dialog(page).getByRole('textbox', { name: 'Your code' }).fill('boat');
    await button(page, 'Replace the code').click();
    await dialog(page).getByText('Enter at least 8 letters and digits.').waitFor();
    await lookAt(page, 'page-code-replace');
    const own = dialog(page).getByRole('textbox', { name: 'Your code' });
    await own.fill('Rowing Club 2026');
    await button(page, 'Replace the code').click();
    await dialog(page).getByText('This code is too easy to guess.').waitFor();
    await own.fill('Lake swans at dawn 88');
    await button(page, 'Replace the code').click();
    await dialog(page).getByText('Gatehouse cannot show a code that you chose again.').waitFor();
    await button(page, 'Done').click();
    await page.getByText('Chosen, not shown').waitFor();
    expect(await codes()).toMatchObject([{ label: 'Class 8b', type: 'chosen', code: null, maxUses: 60 }]);
    await site.post('/page-codes', { label: 'Guests of the regatta', type: 'characters', maxUses: 5 });
    await page.getByText('No access rule accepts it yet').waitFor();
    await act(page, 'Class 8b', 'Revoke');
    await dialog(page).getByText('The access rule for /class accepts it').waitFor();
    await button(page, 'Revoke the code').click();
    await page.getByText('Class 8b was revoked').waitFor();
    expect(await codes()).toMatchObject([{ label: 'Guests of the regatta' }]);
    await turnTo(page, address);
    await page.getByText('Revoked code').first().waitFor();
    await turnTo(page, address.replace('/rules', '/events'));
    await page.getByText(/ revoked the page code Class 8b$/).waitFor();
    await page.getByText(/ replaced the code of the page code /).waitFor();
    await page.getByText(/ changed the page code .*: label, end date, and maximum number of uses$/).waitFor();
    expect(faults).toEqual([]);
  });
});
