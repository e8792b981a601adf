import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestServer, TestSite } from '../test-server.ts';
import { pressInDialog, skipsDashboard, startDashboard, turnTo, useBrowser } from './dashboard-browser.ts';

/** For results that need a response of the service. */
const patience = { timeout: 30_000 };

describe.skipIf(skipsDashboard())('with the keyboard alone, the focus', { timeout: 180_000 }, () => {
  const browser = useBrowser();
  let server: TestServer;
  let site: TestSite;
  let page: Page;
  let faults: string[];
  let go: (path: string) => Promise<unknown>;
  let turn: (path: string) => Promise<unknown>;

  beforeAll(async () => {
    server = await startDashboard();
  });
  beforeEach(async () => {
    site = await server.createSite();
    const { slug } = (await site.patch('/site', { title: 'Rowing Club' })).body.data;
    ({ page, faults } = await browser.open(server, site.siteId));
    go = (path) => page.goto(`/dashboard/${slug}${path}`);
    turn = (path) => turnTo(page, `/dashboard/${slug}${path}`);
  });

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).first();
  /** Chooses what is done with the key in a row. */
  const act = async (name: string, action: string) => {
    await button(`Actions for ${name}`).press('Enter');
    await page.getByRole('menuitem', { name: action }).press('Enter');
  };
  const gone = () => page.getByRole('dialog').waitFor({ state: 'detached' });
  /** The name of the element that has the focus. */
  const focused = () =>
    page.evaluate<string>(
      '((it) => it.ariaLabel ?? it.labels?.[0]?.textContent ?? (it === document.body ? "nothing" : it.textContent))(document.activeElement)',
    );
  const expectFocus = (name: string | RegExp) =>
    expect.poll(focused, patience).toEqual(name instanceof RegExp ? expect.stringMatching(name) : name);

  test('moves to the next row when a row is removed, and from the last row to the one before it', async () => {
    for (const name of ['Shop', 'Forum', 'Newsletter']) await site.post('/api-keys', { name });
    await go('/keys');
    for (const [name, next] of [
      ['Forum', 'Actions for Shop'],
      ['Shop', /^Actions for /],
    ] as const) {
      await act(name, 'Revoke');
      await pressInDialog(page, 'Revoke');
      await gone();
      await button(`Actions for ${name}`).waitFor({ state: 'detached' });
      await expectFocus(next);
    }
    expect(faults).toEqual([]);
  });

  test('returns to the button that created a key, and stays in the row of a rotated key', async () => {
    await site.post('/api-keys', { name: 'Wiki' });
    await go('/keys');
    await button('Create API key').press('Enter');
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Calendar');
    await page.keyboard.press('Enter');
    await expectFocus('Copy');
    await pressInDialog(page, 'Done');
    await gone();
    await expectFocus('Create API key');

    await act('Wiki', 'Rotate');
    await pressInDialog(page, 'Rotate');
    await expectFocus('Copy');
    // The list shows both keys.
    await page.locator('[aria-label="Actions for Wiki"]').nth(1).waitFor({ state: 'attached' });
    await pressInDialog(page, 'Done');
    await gone();
    await expectFocus('Actions for Wiki');
    expect(faults).toEqual([]);
  });

  test('stays on the button during a save, also if the save fails', async () => {
    await go('/groups');
    await button('New group').press('Enter');
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Rowers');
    let answer = () => {};
    const requested = new Promise<void>((resolve) => {
      void page.route('**/api/v1/access-groups', async (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        resolve();
        await new Promise<void>((go) => {
          answer = go;
        });
        return route.fulfill({ status: 422, contentType: 'application/json', body: '{}' });
      });
    });
    const create = page.getByRole('dialog').getByRole('button', { name: /Create|Make/ });
    await create.press('Enter');
    await requested;
    expect(await create.getAttribute('aria-disabled')).toBe('true');
    expect(await create.evaluate((it) => it.matches(':focus'))).toBe(true);
    // A second press has no effect.
    await page.keyboard.press('Enter');
    answer();
    await page.getByRole('alert').waitFor();
    expect(await create.evaluate((it) => it.matches(':focus'))).toBe(true);
    expect(await create.getAttribute('aria-disabled')).toBeNull();
  });

  test('returns to the changed field after a save', async () => {
    await go('/settings/site');
    const title = page.getByRole('textbox', { name: 'Title' }).first();
    await title.fill('Sailing Club');
    await button('Save').press('Enter');
    await button('Save').waitFor({ state: 'detached' });
    await expect.poll(() => title.evaluate((it) => it.matches(':focus')), patience).toBe(true);

    await page.goto('/dashboard/me');
    const name = page.getByRole('textbox', { name: 'Your name' });
    await name.fill('Ada');
    await button('Save').press('Enter');
    await expect.poll(() => button('Save').isDisabled(), patience).toBe(true);
    await expect.poll(() => name.evaluate((it) => it.matches(':focus')), patience).toBe(true);
    expect(faults).toEqual([]);
  });

  test('moves to the nearest control when a rule, a filter or a bar is removed', async () => {
    const rules = ['/a', '/b', '/c'].map((path) => ({ path, access: 'members' }));
    await site.request('PUT', '/access-rules', { body: { rules } });
    await go('/rules');
    await button('Remove the rule for /b').press('Enter');
    await expectFocus('Remove the rule for /c');
    await button('Discard').press('Enter');
    await button('Discard').waitFor({ state: 'detached' });
    expect(await focused()).not.toBe('nothing');

    await site.post('/members', { email: 'ada@example.com', paid: true });
    await turn('/members?paid=true&verified=false');
    await button('Remove this filter: Paying').press('Enter');
    await expectFocus(/^Remove this filter: /);
    await page.keyboard.press('Enter');
    await button('Clear all filters').waitFor({ state: 'detached' });
    expect(await focused()).not.toBe('nothing');
    await page.getByRole('checkbox', { name: 'Select ada@example.com' }).press('Space');
    await button('Clear the selection').press('Enter');
    await expectFocus(/^Select all/);
    expect(faults).toEqual([]);
  });

  test('returns to the menu or the search that opened a dialog', async () => {
    await go('/groups');
    await button('Rowing Club').press('Enter');
    await page.getByRole('menuitem', { name: 'New site' }).press('Enter');
    await page.getByRole('dialog', { name: 'New site' }).locator('input:focus').waitFor();
    await page.keyboard.press('Escape');
    await gone();
    await expectFocus('Rowing Club');

    await button('New group').focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').locator('input:focus').waitFor();
    await page.keyboard.insertText('new site');
    await page.getByRole('button', { name: 'New site' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'New site' }).locator('input:focus').waitFor();
    await page.keyboard.press('Escape');
    await gone();
    await expectFocus('New group');
    expect(faults).toEqual([]);
  });

  test('moves to the field for the next member, and to the controls of an import', async () => {
    const { id } = (await site.post('/access-groups', { name: 'Crew' })).body.data;
    await site.post('/members', { email: 'grace@example.com', displayName: 'Grace Hopper' });
    await go(`/groups/${id}`);
    await button('Add a member').first().press('Enter');
    const picker = page.getByRole('combobox', { name: 'Add a member' });
    await picker.fill('hopper');
    await page.getByRole('option', { name: /Grace Hopper/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await button('Add').press('Enter');
    await page.getByText('Grace Hopper was added to Crew').waitFor();
    // The message comes a moment before the focus.
    await expect.poll(() => picker.evaluate((it) => it.matches(':focus')), patience).toBe(true);
    await page.keyboard.press('Escape');
    await gone();
    await expectFocus('Add a member');

    await turn('/add');
    await page.getByRole('tab', { name: 'Paste email addresses' }).press('Enter');
    await page.getByRole('textbox', { name: 'Email addresses' }).fill('joan@example.com');
    await button('Add 1 member').press('Enter');
    await expectFocus('Add more members');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Email addresses' }).waitFor();
    expect(await focused()).not.toBe('nothing');
    expect(faults).toEqual([]);
  });
});
