import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestServer, TestSite } from '../test-server.ts';
import { skipsDashboard, startDashboard, useBrowser } from './dashboard-browser.ts';

/** Jobs of operators, without a mouse: nothing here clicks, and the focus is where the keyboard has left it. */
describe.skipIf(skipsDashboard())('with the keyboard alone', { timeout: 180_000 }, () => {
  const browser = useBrowser();
  let server: TestServer;
  let site: TestSite;
  let slug: string;
  let courseId: string;
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    server = await startDashboard();
    site = await server.createSite();
    slug = (await site.patch('/site', { title: 'Rowing Club' })).body.data.slug;
    courseId = (await site.post('/access-groups', { name: 'Course 2026' })).body.data.id;
    const members = ['Ada King', 'Adam Smith', 'Adele Gold', 'Grace Hopper'].map((displayName) => ({
      email: `${displayName.replace(' ', '.').toLowerCase()}@example.com`,
      displayName,
    }));
    expect((await site.post('/members/bulk', { members })).status).toBe(207);
  });
  beforeEach(async () => {
    ({ page, faults } = await browser.open(server, site.siteId));
    await page.goto(`/dashboard/${slug}`);
    await heading('Overview');
    await untilKeysWork(page);
  });

  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const shows = (text: string) => page.getByText(text, { exact: true }).first().waitFor();
  const membersOf = async (groupId: string) =>
    (await site.get(`/access-groups/${groupId}/members`)).body.data.map(
      ({ displayName }: { displayName: string }) => displayName,
    );
  const inCourse = () => membersOf(courseId);

  test('members are found, selected as a range and added to a group, and the view of them is saved', async () => {
    await press('g', 'm');
    await heading('Members');
    await press('/');
    await page.keyboard.type('ad');
    await page.getByRole('link', { name: 'Grace Hopper' }).waitFor({ state: 'detached' });
    await press('Escape');
    // What was typed is cleared first.
    await page.getByRole('link', { name: 'Grace Hopper' }).waitFor();
    await page.keyboard.type('ad');
    await page.getByRole('link', { name: 'Grace Hopper' }).waitFor({ state: 'detached' });
    await tabTo(page, 'Name');
    await press('Enter');
    await page.waitForURL('**/members?q=ad&sort=displayName&order=asc');
    await page.getByRole('row').nth(1).getByRole('link', { name: 'Ada King' }).waitFor();
    await press('j', 'x', 'j', 'Shift+X');
    await shows('2 selected');
    await tabTo(page, 'Add to a group');
    await press('Enter');
    await page.getByRole('dialog').locator('input:focus').waitFor();
    await page.keyboard.type('Course');
    await page.getByRole('option', { name: 'Course' }).first().waitFor();
    await press('ArrowDown', 'Enter');
    await tabTo(page, 'Add');
    await press('Enter');
    await expect.poll(inCourse, { timeout: 15_000 }).toEqual(['Adam Smith', 'Ada King']);

    await press('Escape');
    await tabTo(page, 'Views');
    await press('Enter', 'ArrowDown');
    await page.getByRole('menuitem', { name: 'Save this view' }).waitFor();
    while (!(await focusedName(page)).startsWith('Save this view')) await press('ArrowDown');
    await press('Enter');
    await page.getByRole('dialog').locator('input:focus').waitFor();
    await page.keyboard.type('Names with ad');
    await press('Enter');
    await shows('The view Names with ad was saved');
    expect(faults).toEqual([]);
  });

  test('a member is opened, renamed and blocked, and the next one follows', async () => {
    await press('g', 'm');
    await page.getByRole('link', { name: 'Grace Hopper' }).waitFor();
    await press('j', 'o');
    await heading('Grace Hopper');
    await press('j');
    await heading('Adele Gold');
    await press('k');
    await heading('Grace Hopper');
    await press('e');
    await page.getByRole('textbox', { name: 'Name' }).and(page.locator(':focus')).waitFor();
    await press('ControlOrMeta+a');
    await page.keyboard.type('Admiral Hopper');
    await press('Enter');
    await heading('Admiral Hopper');
    await tabTo(page, 'Block');
    await press('Enter');
    await expect.poll(async () => (await site.get('/members?status=blocked')).body.data.length).toBe(1);
    expect(faults).toEqual([]);
  });

  test('a group is created, and a rule opens a path to it, is tested and saved', async () => {
    await press('g', 'g');
    await heading('Access groups');
    await tabTo(page, 'New group');
    await press('Enter');
    await page.getByRole('dialog').locator('input:focus').waitFor();
    await page.keyboard.type('Crew');
    await press('Enter');
    await shows('Crew');

    await press('g', 'r');
    await heading('Access rules');
    await tabTo(page, 'Add a rule');
    await press('Enter');
    await page.getByRole('dialog').locator('input:focus').waitFor();
    await page.keyboard.type('/crew');
    await tabTo(page, /^(Everyone|Members)/);
    while (!(await focusedName(page)).startsWith('Access groups')) await press('ArrowDown');
    await tabTo(page, /^Groups/);
    await page.keyboard.type('Crew');
    await press('ArrowDown', 'Enter');
    await tabTo(page, 'Apply');
    await press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await tabTo(page, 'Save');
    await press('Enter');
    await shows('The access rules were saved');
    expect((await site.get('/access-rules')).body.data.rules).toMatchObject([
      { path: '/crew', access: 'groups' },
    ]);

    await press('Control+k');
    await page.getByRole('dialog').locator('input:focus').waitFor();
    await page.keyboard.type('test /crew as adele');
    await page.getByRole('dialog').getByText('Adele Gold').first().waitFor();
    await press('Enter');
    await shows('Denied');
    expect(faults).toEqual([]);
  });
});

/** The keys of all pages are loaded after the first page. */
async function untilKeysWork(page: Page): Promise<void> {
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect
    .poll(async () => {
      await page.keyboard.press('?');
      return sheet.isVisible();
    })
    .toBe(true);
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
}

function focusedName(page: Page): Promise<string> {
  return page.evaluate<string>(
    '(({ labels, ariaLabel, textContent }) => ariaLabel ?? labels?.[0]?.textContent ?? textContent)(document.activeElement)',
  );
}

async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await focusedName(page);
    if (typeof name === 'string' ? focused === name : name.test(focused)) return;
    passed.push(focused);
  }
  throw new Error(`The keyboard does not reach "${name}", but: ${passed.join(', ')}`);
}
