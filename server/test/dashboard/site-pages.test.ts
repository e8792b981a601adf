import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { desktop, look, phone } from '../browser.ts';
import { anEmailAtRest, anInvitedOperator, everyEmailGone } from '../contract/given.ts';
import { effort } from '../effort.ts';
import { anOperator } from '../operator.ts';
import { send, type TestServer, type TestSite } from '../test-server.ts';
import { skipsDashboard, startDashboard, turnTo, useBrowser } from './dashboard-browser.ts';

const logo =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** The browser classes that Node.js does not have. */
interface Clipboard {
  DataTransfer: new () => { setData(type: string, text: string): void };
  ClipboardEvent: new (type: string, init: object) => object;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Whether an axis of a chart has several labels, which are within the chart and evenly spaced. */
async function measureTicks(chart: Locator, axis: string) {
  const [frame, ...labels] = await chart.evaluate(
    (element, labels) =>
      [element, ...element.querySelectorAll(labels)].map(
        (each): Box => each.getBoundingClientRect().toJSON(),
      ),
    `.recharts-${axis}-tick-labels text`,
  );
  const { x: left, y: top, width, height } = frame!;
  const middles = labels.map((box) => (axis === 'xAxis' ? box.x + box.width / 2 : -(box.y + box.height / 2)));
  const steps = middles.slice(1).map((middle, index) => middle - middles[index]!);
  return {
    several: labels.length > 1,
    within: labels.every(
      (box) =>
        box.x >= left &&
        box.y >= top &&
        box.x + box.width <= left + width &&
        box.y + box.height <= top + height,
    ),
    even: Math.max(...steps) - Math.min(...steps) < 2,
  };
}

describe.skipIf(skipsDashboard())('the pages of a site', { timeout: 180_000 }, () => {
  const browser = useBrowser();
  let server: TestServer;
  let site: TestSite;
  let slug: string;
  let ada: string;

  beforeAll(async () => {
    server = await startDashboard();
    site = await server.createSite();
    slug = (await site.get('/site')).body.data.slug;
    await site.patch('/site', { title: 'Rowing Club', domain: `${slug}.example.org` });
    const group = (await site.post('/access-groups', { name: 'Course <b>2026</b>' })).body.data.id;
    const member = { email: 'ada@example.com', displayName: 'Ada <img src=x onerror=alert(1)> Lovelace' };
    ada = (await site.post('/members', { ...member, paid: true, accessGroupIds: [group] })).body.data.id;
    await site.post('/members', { email: 'alan@example.com', displayName: 'Alan Turing' });
    await site.patch(`/members/${ada}`, { displayName: 'Ada Lovelace' });
    await site.post(`/members/${ada}/login-links`, { send: true });
    await setRules([
      { path: '/', access: 'public' },
      { path: '/courses/rowing', access: 'groups', groupIds: [group] },
      { path: '/members', access: 'members' },
    ]);
  });

  const setRules = (rules: object[]) => site.request('PUT', '/access-rules', { body: { rules } });
  const aMember = async (displayName: string): Promise<string> => {
    const email = `${displayName.replaceAll(' ', '.').toLowerCase()}@example.com`;
    return `/members/${(await site.post('/members', { email, displayName })).body.data.id}`;
  };

  /** Dispatches a paste event, because not every test browser has access to the clipboard. */
  const paste = (field: Locator, text: string) =>
    field.evaluate((element, text) => {
      const { DataTransfer, ClipboardEvent } = globalThis as unknown as Clipboard;
      const clipboardData = new DataTransfer();
      clipboardData.setData('text', text);
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, text);

  /** From now on, records what a field shows. A save must not bring back older values, not even for a moment. */
  async function recordTexts(field: Locator): Promise<() => Promise<string[]>> {
    await field.evaluate((field) => {
      const property = Object.getOwnPropertyDescriptor(field, 'value')!;
      const texts: string[] = [];
      const note = (text: string) => {
        texts.push(text);
        property.set!.call(field, text);
      };
      Object.defineProperty(field, 'value', { ...property, set: note });
      Object.assign(globalThis, { texts });
    });
    return () => field.page().evaluate<string[]>('texts');
  }

  /** Holds back the responses to such requests. Returns a function that releases them. */
  async function hold(page: Page, url: string, method: string): Promise<() => Promise<void>> {
    const { promise: isLetGo, resolve: letGo } = Promise.withResolvers<void>();
    await page.route(url, async (route) => {
      if (route.request().method() === method) await isLetGo;
      await route.continue();
    });
    return async () => letGo();
  }

  /** Checks that both axes of a chart have labels that are evenly spaced and stay within the chart. */
  async function expectEvenTicks(chart: Locator): Promise<void> {
    await chart.locator('text').first().waitFor();
    await chart.page().evaluate('document.fonts.ready.then(() => {})');
    for (const axis of ['xAxis', 'yAxis']) {
      // Measured at once, and until it holds, because the chart is drawn again some frames after its size has changed.
      await expect.poll(() => measureTicks(chart, axis)).toEqual({ several: true, within: true, even: true });
    }
  }

  const go = (page: Page, path: string) => page.goto(`/dashboard/${slug}${path}`);
  const turn = (page: Page, path: string) => turnTo(page, `/dashboard/${slug}${path}`);
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const dialog = (page: Page) => page.getByRole('dialog');
  const emailRows = (page: Page, hasText: string) => page.getByRole('row').filter({ hasText });

  test('the overview shows the remaining setup steps, each with a link to its page', async () => {
    const { page } = await browser.open(server, site.siteId);
    await page.route('**/api/v1/overview?*', async (route) => {
      const response = await route.fetch();
      const { data } = await response.json();
      await route.fulfill({ response, json: { data: { ...data, pendingJoinRequests: 3 } } });
    });
    await go(page, '');
    const request = page.getByRole('listitem').filter({ hasText: '3 people ask to join' });
    await request.getByRole('link', { name: 'Decide' }).waitFor();
    await page.getByText('4 of 6 steps done').waitFor();
    for (const viewport of [desktop, phone]) {
      await page.setViewportSize(viewport);
      for (const name of ['Members: from 0 to 2', /^Logins/])
        await expectEvenTicks(page.getByRole('img', { name }));
    }
    await page.setViewportSize(desktop);
    await page.getByRole('link', { name: 'Test the login' }).click();
    await page.waitForURL(`**/dashboard/${slug}/members`);
  });

  test('a rule that the service would reject is not applied, and the error says how to correct it', async () => {
    const { page, faults } = await browser.open(server, site.siteId);
    await go(page, '/rules');
    await button(page, 'Add a rule').click();
    const path = dialog(page).getByRole('textbox', { name: 'Path' });
    for (const [typed, advice] of [
      ['/blog/*', 'For a whole folder, enter the folder, such as /blog'],
      ['/news;x', 'This path contains quotation marks'],
      ['/news/index.html', 'Use the folder instead'],
      ['/Members/new', '“/members” already has a rule'],
      ['/members/', 'This path already has a rule.'],
    ] as const) {
      await path.fill(typed);
      await button(page, 'Apply').click();
      await dialog(page).getByText(advice).waitFor();
    }
    await path.fill('/news/');
    await dialog(page).getByText('This path already has a rule.').waitFor({ state: 'hidden' });
    await dialog(page).getByRole('radio', { name: 'Access groups' }).check();
    await button(page, 'Apply').click();
    await dialog(page).getByText('Choose at least one group.').waitFor();
    await dialog(page).getByRole('radio', { name: 'Paying members' }).check();
    await button(page, 'Apply').click();
    await page.getByText('By your unsaved rules.').waitFor();
    await button(page, 'Save').click();
    await page.getByText('The access rules were saved').waitFor();
    const { rules } = (await site.get('/access-rules')).body.data;
    expect(rules).toContainEqual({ path: '/news', access: 'paying_members' });
    expect(faults).toEqual([]);
  });

  test('a rule that a newer service rejects has its error once and at its row, until it is corrected', async () => {
    const { page } = await browser.open(server, site.siteId);
    const message = 'This path is reserved.';
    await page.route('**/access-rules', async (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      const { rules } = route.request().postDataJSON();
      const index = rules.findIndex((rule: { path: string }) => rule.path === '/reserved');
      const details = [{ path: `/rules/${index}/path`, message }];
      const error = {
        code: 'invalid_request',
        message: `Correct the request: ${message}`,
        details,
        requestId: ada,
      };
      return route.fulfill({ status: 400, json: { error } });
    });
    await go(page, '/rules');
    await button(page, 'Add a rule').click();
    await dialog(page).getByRole('textbox', { name: 'Path' }).fill('/reserved');
    await button(page, 'Apply').click();
    await button(page, 'Save').click();
    await page.getByText('Your changes were not saved. Correct the marked fields.').waitFor();
    const text = await page.getByRole('main').innerText();
    expect(text.split(message)).toHaveLength(2);
    expect(text).not.toContain('/rules/');
    expect(text).not.toContain(ada);
    await page.getByText('Technical details').click();
    await page.getByText(/^Request ID: [0-9a-f-]{36}$/).waitFor();
    await button(page, 'Remove the rule for /reserved').click();
    await page.getByText(message).waitFor({ state: 'detached' });
  });

  test('access to any path can be tested for an anonymous visitor and for a member', async () => {
    const { page } = await browser.open(server, site.siteId, 'viewer');
    await go(page, '/rules');
    const path = page.getByRole('textbox', { name: 'Path or URL' });
    await path.fill('/courses/rowing/week-1');
    await page.getByText('The rule for /courses/rowing applies.').waitFor();
    await page.getByText('Not logged in').waitFor();
    await page.getByPlaceholder('Not logged in').click();
    await page.keyboard.insertText('lovelace');
    await page.getByRole('option', { name: /Ada/ }).click();
    await page.getByText(/^In /).waitFor();
    // Neither an invalid path nor one whose result is still loading shows the result of the previous path.
    await path.fill('courses');
    await page.getByText('Enter a URL, or a path that begins with a slash.').waitFor();
    expect(await page.getByText(/applies\./).count()).toBe(0);
    await paste(path, `https://${slug}.example.org/courses/rowing?week=2`);
    await page.getByText('The rule for /courses/rowing applies.').waitFor();
    const answer = await hold(page, '**/access-checks', 'POST');
    await path.fill('/about');
    await page.getByText(/applies\./).waitFor({ state: 'hidden' });
    await answer();
    await page.getByText('The rule for / applies.').waitFor();
    expect(await button(page, 'Add a rule').count()).toBe(0);
    expect(await page.getByRole('button', { name: /Remove the rule/ }).count()).toBe(0);
  });

  test('rules that another operator has saved in the meantime are not overwritten', async () => {
    const { page } = await browser.open(server, site.siteId);
    await go(page, '/rules');
    await button(page, 'Remove the rule for /members').click();
    const { rules } = (await site.get('/access-rules')).body.data;
    await setRules([...rules, { path: '/meanwhile', access: 'public' }]);
    await button(page, 'Save').click();
    await page.getByText('Another operator has changed the rules').waitFor();
    await button(page, 'Load the saved version').click();
    await page.getByText('meanwhile', { exact: true }).waitFor();
    await page.getByText('Unsaved changes', { exact: true }).waitFor({ state: 'hidden' });
    const paths = (await site.get('/access-rules')).body.data.rules.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(expect.arrayContaining(['/members', '/meanwhile']));
  });

  test('changes made during a save can still be saved', async () => {
    const { page } = await browser.open(server, site.siteId);
    const { rules } = (await site.get('/access-rules')).body.data;
    const answer = await hold(page, '**/access-rules', 'PUT');
    await go(page, '/rules');
    await button(page, 'Remove the rule for /members').click();
    await button(page, 'Save').dblclick();
    await button(page, 'Remove the rule for /courses/rowing').click();
    await answer();
    await page.getByText('The access rules were saved').waitFor();
    expect(await button(page, 'Remove the rule for /courses/rowing').count()).toBe(0);
    await button(page, 'Save').press('Enter');
    await page.getByText('Unsaved changes', { exact: true }).waitFor({ state: 'hidden' });
    const paths = (await site.get('/access-rules')).body.data.rules.map(({ path }: { path: string }) => path);
    expect(paths).not.toEqual(expect.arrayContaining(['/courses/rowing']));
    expect(paths).not.toEqual(expect.arrayContaining(['/members']));
    await setRules(rules);

    const answerSite = await hold(page, '**/api/v1/site', 'PATCH');
    await turn(page, '/settings/site');
    const title = page.getByRole('textbox', { name: 'Title' });
    await title.fill('Rowers');
    await button(page, 'Save').click();
    await title.fill('Rowers and more');
    await answerSite();
    await page.getByText('The settings were saved').waitFor();
    expect(await title.inputValue()).toBe('Rowers and more');
    const texts = await recordTexts(title);
    await button(page, 'Save').press('Enter');
    await page.getByText('Unsaved changes', { exact: true }).waitFor({ state: 'hidden' });
    expect(await texts()).not.toContain('Rowers');
    expect((await site.get('/site')).body.data.title).toBe('Rowers and more');
    await site.patch('/site', { title: 'Rowing Club' });
  });

  test('settings that another operator has saved in the meantime are not overwritten', async () => {
    const { page } = await browser.open(server, site.siteId);
    await go(page, '/settings/site');
    const title = page.getByRole('textbox', { name: 'Title' });
    await title.fill('Ours');
    // Changes of another section are no conflict.
    await site.patch('/site', { maxSessions: 7 });
    await button(page, 'Save').click();
    await page.getByText('Unsaved changes', { exact: true }).waitFor({ state: 'hidden' });
    expect((await site.get('/site')).body.data).toMatchObject({ title: 'Ours', maxSessions: 7 });

    await title.fill('Mine');
    await site.patch('/site', { title: 'Theirs' });
    await button(page, 'Save').click();
    await page.getByText('Another operator has changed the settings').waitFor();
    await button(page, 'Load the saved version').click();
    await page.getByText('Unsaved changes', { exact: true }).waitFor({ state: 'hidden' });
    expect(await title.inputValue()).toBe('Theirs');
    expect((await site.get('/site')).body.data.title).toBe('Theirs');
    await site.patch('/site', { title: 'Rowing Club' });
  });

  test('a field of a member that another operator has changed in the meantime is not overwritten', async () => {
    const path = await aMember('Grace Hopper');
    const nameNow = async () => (await site.get(path)).body.data.displayName;
    const { page } = await browser.open(server, site.siteId);
    await go(page, path);
    await button(page, 'Change: Name').click();
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('Mine');
    await site.patch(path, { displayName: 'Theirs' });
    for (const answer of ['Cancel', 'Load the saved version']) {
      await button(page, 'Save').click();
      await page.getByText('Another operator has changed this member').waitFor();
      await button(page, answer).last().click();
      await dialog(page).waitFor({ state: 'hidden' });
    }
    await heading(page, 'Theirs');
    expect(await nameNow()).toBe('Theirs');

    await button(page, 'Change: Name').click();
    // Changes of other fields are no conflict.
    await site.patch(path, { paid: true });
    await name.fill('Mine');
    await page.keyboard.press('Enter');
    await heading(page, 'Mine');
    await site.patch(path, { displayName: 'Theirs' });
    const rejected = page.waitForResponse((response) => response.status() === 412);
    await button(page, 'Undo').click();
    await rejected;
    expect(await nameNow()).toBe('Theirs');
  });

  test('a group that another operator has renamed in the meantime keeps its new name', async () => {
    const { id } = (await site.post('/access-groups', { name: 'Juniors' })).body.data;
    const path = `/access-groups/${id}`;
    const { page } = await browser.open(server, site.siteId);
    await go(page, `/groups/${id}`);
    await button(page, 'Edit').click();
    await site.patch(path, { name: 'Youth' });
    await dialog(page).getByRole('textbox', { name: 'Description' }).fill('Up to 18');
    await button(page, 'Save').click();
    await dialog(page).waitFor({ state: 'hidden' });
    await heading(page, 'Youth');
    expect((await site.get(path)).body.data).toMatchObject({ name: 'Youth', description: 'Up to 18' });
    await button(page, 'Edit').click();
    await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Mine');
    await site.patch(path, { name: 'Under 18' });
    await button(page, 'Save').click();
    await page.getByText('Another operator has changed this group').waitFor();
    await button(page, 'Load the saved version').click();
    await heading(page, 'Under 18');
  });

  test('the last day of a membership is changed and removed, and is shown on both pages', async () => {
    const path = await aMember('Mary Jackson');
    const group = (await site.post('/access-groups', { name: 'Winter course' })).body.data.id;
    const membership = `/access-groups/${group}${path}`;
    const end = async () => (await site.get(membership)).body.data.expiresAt;
    await site.post(`/access-groups/${group}/members`, { memberId: path.split('/').at(-1) });
    await site.patch('/site', { timeZone: 'Pacific/Auckland' });
    const timezoneId = 'America/New_York';
    const { page, faults } = await browser.open(server, site.siteId, 'owner', { timezoneId });
    await go(page, path);
    await button(page, 'Change the last day in Winter course').click();
    await dialog(page).getByRole('textbox', { name: 'Last day' }).fill('2099-06-30');
    await page.getByText('Days are those of the time zone Pacific/Auckland.').waitFor();
    await button(page, 'Save').click();
    await page.getByText('Until Jun 30, 2099', { exact: true }).waitFor();
    expect(await end()).toBe('2099-06-30T12:00:00.000Z');
    await page.getByRole('main').getByRole('link', { name: 'Winter course' }).first().click();
    const mary = page.getByRole('row', { name: 'Mary Jackson' });
    await mary.getByText('Jun 30, 2099', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Change the last day of Mary Jackson' }).click();
    await button(page, 'No end').click();
    await button(page, 'Save').click();
    await mary.getByText('No end').waitFor();
    expect(await end()).toBeNull();
    await page.getByRole('alert').filter({ hasText: 'Mary Jackson' }).getByText('Undo').click();
    await mary.getByText('Jun 30, 2099', { exact: true }).waitFor();
    await turn(page, '/events?type=access-group.member.updated');
    const inWinter = 'changed the end of the membership of Mary Jackson in Winter course:';
    await page.getByText(`${inWinter} no end date`).waitFor();
    await page.getByText(`${inWinter} until Jun 30, 2099`).first().waitFor();
    // The page learns of another time zone, which moves no end.
    await site.patch('/site', { timeZone: 'America/Sao_Paulo' });
    await page.getByText(`${inWinter} until Jun 30, 2099, 9:00 AM GMT-3`).first().waitFor();
    expect(await end()).toBe('2099-06-30T12:00:00.000Z');
    await turn(page, path);
    await button(page, 'Change the last day in Winter course').click();
    expect(await dialog(page).getByRole('textbox', { name: 'Last day' }).inputValue()).toBe('2099-06-30');
    await button(page, 'Save').click();
    await page.getByText('Until Jun 30, 2099', { exact: true }).waitFor();
    expect(await end()).toBe('2099-07-01T03:00:00.000Z');
    await site.patch('/site', { timeZone: 'UTC' });
    expect(faults).toEqual([]);
  });

  test('a double click adds a member once', async () => {
    await aMember('Annie Easley');
    const group = (await site.post('/access-groups', { name: 'Rockets' })).body.data.id;
    const { page } = await browser.open(server, site.siteId);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes(group)) sent.push(request.url());
    });
    await go(page, `/groups/${group}`);
    await button(page, 'Add a member').first().click();
    await dialog(page).getByPlaceholder('Name or email').click();
    await page.keyboard.insertText('easley');
    await page.getByRole('option', { name: /Annie/ }).click();
    await button(page, 'Add').evaluate((add: { click(): void }) => [add.click(), add.click()]);
    await page.getByText('Annie Easley was added to Rockets').waitFor();
    expect(sent).toHaveLength(1);
  });

  test('deleting a group shows what names it: rules, sign-up and invitations', async () => {
    const { id } = (await site.post('/access-groups', { name: 'Regatta' })).body.data;
    const { rules } = (await site.get('/access-rules')).body.data;
    const anyOf = [{ access: 'paying_members' }, { access: 'members', groupIds: [id] }];
    await setRules([
      ...rules,
      { path: '/regatta', access: 'groups', groupIds: [id] },
      { path: '/regatta', appliesTo: 'page', access: 'conditional', anyOf },
      { path: '/results', access: 'conditional', anyOf },
    ]);
    const signUp = { policy: 'allowed_domains', domains: [{ domain: 'example.org', accessGroupIds: [id] }] };
    await site.patch('/site', { signUp });
    await site.post('/invitations', { accessGroupIds: [id] });
    const { page } = await browser.open(server, site.siteId);
    await go(page, `/groups/${id}`);
    await page.getByRole('link', { name: '/regatta, /results' }).waitFor();
    await button(page, 'Delete').click();
    await dialog(page).getByText('The rules for /regatta and /results still name this group').waitFor();
    await dialog(page).getByText('The group has no members.').waitFor();
    await dialog(page).getByText('New members with an email address at example.org are no longer').waitFor();
    await dialog(page).getByText('1 active invitation still names this group').waitFor();
    await setRules(rules);
    await site.patch('/site', { signUp: { policy: 'members_only', domains: [] } });
  });

  test('a canceled invitation leaves no input behind, and losing the last role ends the session', async () => {
    const { page, operator } = await browser.open(server, site.siteId);
    // A site needs at least one owner.
    const other = await anOperator(server, site.siteId, 'owner');
    await go(page, '/operators');
    const badges = (email: string) =>
      page.getByRole('row', { name: email }).getByText('You', { exact: true });
    await badges(operator.email).waitFor();
    expect(await badges(other.email).count()).toBe(0);
    await button(page, 'Invite').click();
    await page.getByLabel('Email address').fill(operator.email);
    await button(page, 'Send the invitation').click();
    await dialog(page).getByRole('alert').waitFor();
    await button(page, 'Cancel').click();
    await button(page, 'Invite').click();
    await button(page, 'Send the invitation').waitFor();
    expect(await dialog(page).getByRole('alert').count()).toBe(0);
    expect(await page.getByLabel('Email address').inputValue()).toBe('');
    await button(page, 'Cancel').click();
    const row = page.getByRole('row', { name: operator.email });
    await row.getByRole('button').last().click();
    await dialog(page).getByRole('button').last().click();
    await page.waitForURL(/\/dashboard\/login/);
  });

  test('leaving unsaved changes asks for confirmation', async () => {
    const { page } = await browser.open(server, site.siteId);
    await go(page, '/rules');
    await button(page, 'Remove the rule for /members').click();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByText('Leave this page?').waitFor();
    await button(page, 'Cancel').click();
    await page.getByText('Unsaved changes', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Settings' }).click();
    await button(page, 'Leave without saving').click();
    await heading(page, 'Site');
  });

  test('a key is shown once, works, is rotated, and no longer works after it is revoked', async () => {
    const { page, faults } = await browser.open(server, site.siteId, 'admin');
    const answers = async (key: string) =>
      (await send(`${server.apiUrl}/members`, 'GET', { headers: { authorization: `Bearer ${key}` } })).status;
    const secret = async () => {
      const shown = (await dialog(page)
        .getByText(/^gate_/)
        .textContent())!;
      await page.keyboard.press('Escape');
      await button(page, 'Done').click();
      return shown;
    };
    await go(page, '/keys');
    await button(page, 'Create API key').click();
    await dialog(page).getByRole('textbox', { name: 'Name' }).fill('=Shop');
    await dialog(page).getByRole('radio', { name: 'Choose' }).check();
    const levels = (area: string) => dialog(page).getByRole('radiogroup', { name: area });
    await levels('Members').getByText('View', { exact: true }).click();
    await levels('Access groups').getByText('Change', { exact: true }).click();
    const ofOperators = levels('Operators').getByRole('radio');
    expect(await Promise.all([0, 1, 2].map((index) => ofOperators.nth(index).isDisabled()))).toEqual([
      false,
      false,
      true,
    ]);
    await dialog(page).getByRole('button', { name: 'Create API key' }).click();
    const first = await secret();
    await page.getByRole('row', { name: '=Shop' }).getByText('Never used').waitFor();
    expect(await answers(first)).toBe(200);
    await button(page, 'Actions for =Shop').click();
    await page.getByRole('menuitem', { name: 'Rotate' }).click();
    await dialog(page).getByRole('button', { name: 'Rotate' }).click();
    const second = await secret();
    expect(await answers(first)).toBe(200);
    await page.getByText('Being replaced').waitFor();
    await page.getByText('Change: Access groups · View: Members').first().waitFor();
    await button(page, 'Actions for =Shop').last().click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByText('This cannot be undone.').waitFor();
    await dialog(page).getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('=Shop was revoked').waitFor();
    expect([await answers(first), await answers(second)]).toEqual([401, 200]);
    expect(await page.getByText(/^gate_/).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test('a key that can only view is one choice, and its permissions are also shown on a phone', async () => {
    const { page, faults } = await browser.open(server, site.siteId, 'owner', { viewport: phone });
    await go(page, '/keys');
    await button(page, 'Create API key').click();
    await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Scoreboard');
    await dialog(page).getByRole('radio', { name: 'Read only' }).check();
    await dialog(page).getByRole('button', { name: 'Create API key' }).click();
    await button(page, 'Done').click();
    const row = page.getByRole('row', { name: 'Scoreboard' });
    await row.getByText('Read only').waitFor();
    await row.getByText('Never used').waitFor();
    const { data } = (await site.get('/api-keys')).body;
    const key = data.find(({ name }: { name: string }) => name === 'Scoreboard');
    expect(key.permissions).toEqual(
      expect.arrayContaining(['members:read', 'operators:read', 'emails:read']),
    );
    expect(key.permissions.filter((each: string) => !each.endsWith(':read'))).toEqual([]);
    expect(faults).toEqual([]);
  });

  test('a key works until the end of its last day, which is the day that is shown', async () => {
    await site.patch('/site', { timeZone: 'Europe/Berlin' });
    const options = { timezoneId: 'America/New_York', locale: 'en-GB' };
    const { page } = await browser.open(server, site.siteId, 'owner', options);
    await go(page, '/keys');
    await button(page, 'Create API key').click();
    await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Until January');
    await dialog(page).getByRole('combobox', { name: 'Expires' }).click();
    await page.getByRole('option', { name: 'On a certain day' }).click();
    await dialog(page).getByLabel('Last day').fill('2099-01-31');
    await page.getByText('Days are those of the time zone Europe/Berlin.').waitFor();
    await look(page, 'key-last-day');
    await dialog(page).getByRole('button', { name: 'Create API key' }).click();
    await button(page, 'Done').click();
    await page.getByText('31 Jan 2099').waitFor();
    const { data } = (await site.get('/api-keys')).body;
    const key = data.find(({ name }: { name: string }) => name === 'Until January');
    expect(key.expiresAt).toBe('2099-01-31T23:00:00.000Z');
    await site.patch('/site', { timeZone: 'UTC' });
  });

  test('the appearance is shown in the preview, then saved together', async () => {
    const { page, faults } = await browser.open(server, site.siteId);
    await site.patch('/site', { title: 'Rowers & <i>Friends</i>' });
    await go(page, '/settings/look');
    const preview = page.frameLocator('iframe');
    await preview.getByText('Rowers & <i>Friends</i>').first().waitFor();
    await page.getByText('Email', { exact: true }).click();
    await preview.getByText('123456').waitFor();
    const color = page.getByRole('textbox', { name: 'Color' });
    await color.fill('teal');
    await color.blur();
    await page.getByText('This is not a color.').waitFor();
    await color.fill('#1d4ed8');
    const files = page.locator('input[type=file]');
    await files.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('x') });
    await page.getByText('This is not a PNG, JPEG or WebP image').waitFor();
    await files.setInputFiles({
      name: 'a.png',
      mimeType: 'image/png',
      buffer: Buffer.from(logo, 'base64'),
    });
    await page.getByRole('img', { name: 'The new logo' }).waitFor();
    await page.getByText('Login page', { exact: true }).click();
    await preview.locator(`img[src="data:image/png;base64,${logo}"]`).waitFor();
    await button(page, 'Save').click();
    await page.getByText('The settings were saved').waitFor();
    const saved = (await site.get('/site')).body.data;
    expect(saved.color).toBe('#1d4ed8');
    // It has a URL once the site has a domain.
    await site.patch('/site', { domain: `${slug}.example.org` });
    expect((await site.get('/site')).body.data.logoUrl).not.toBeNull();
    await site.patch('/site', { title: 'Rowing Club', logo: null });
    expect(faults).toEqual([]);
  });

  test('the sign-up rules are saved together, and a row without a domain is an error at its field', async () => {
    const { page, faults } = await browser.open(server, site.siteId);
    await go(page, '/settings/sign-up');
    await page.getByRole('radio', { name: 'Anyone with an email address' }).check();
    await button(page, 'Add a domain').click();
    await button(page, 'Save').click();
    await page.getByText('Enter the part after the @.').waitFor();
    const domain = page.getByRole('textbox', { name: 'Email domain' });
    await domain.fill('ada@Example.org');
    await domain.blur();
    expect(await domain.inputValue()).toBe('example.org');
    await page.getByRole('combobox', { name: 'Add new members to these groups' }).click();
    await page.getByRole('option', { name: 'Course <b>2026</b>' }).click();
    await page.keyboard.press('Escape');
    await button(page, 'Save').click();
    await page.getByText('The settings were saved').waitFor();
    const { signUp } = (await site.get('/site')).body.data;
    expect(signUp).toMatchObject({ policy: 'allowed_domains', domains: [{ domain: 'example.org' }] });
    expect(signUp.domains[0].accessGroupIds).toHaveLength(1);

    await page.getByRole('radio', { name: 'Anyone, after an operator has approved them' }).check();
    await page.getByRole('switch', { name: 'People can ask for access' }).click();
    await button(page, 'Save').click();
    await page.getByText('Unsaved changes', { exact: true }).waitFor({ state: 'hidden' });
    expect((await site.get('/site')).body.data).toMatchObject({
      signUp: { policy: 'approval', domains: [{ domain: 'example.org' }] },
      allowsAccessRequests: true,
    });
    expect(faults).toEqual([]);
  });

  test('the time zone of the site is found by a city', async () => {
    const other = await server.createSite();
    const { slug } = (await other.get('/site')).body.data;
    const { page, faults } = await browser.open(server, other.siteId, 'owner', { timezoneId: 'Asia/Tokyo' });
    await page.goto(`/dashboard/${slug}/settings/site`);
    const field = page.getByRole('combobox', { name: 'Time zone' });
    await field.click();
    await page
      .getByRole('group', { name: 'Suggestions' })
      .getByRole('option', { name: 'Asia/Tokyo' })
      .waitFor();
    await field.fill('new york');
    await page.getByRole('option', { name: 'America/New York' }).click();
    await button(page, 'Save').click();
    await page.getByText('The settings were saved').waitFor();
    expect((await other.get('/site')).body.data.timeZone).toBe('America/New_York');
    expect(await field.inputValue()).toBe('America/New York');
    await look(page, 'settings-time-zone');
    expect(faults).toEqual([]);
  });

  test('a domain is parsed while typing, and saved with the scheme that is shown', async () => {
    const other = await server.createSite();
    await other.patch('/site', { domain: 'localhost:8999', title: 'Chess Club' });
    const otherSlug = (await other.get('/site')).body.data.slug;
    const { page, faults } = await browser.open(server, other.siteId);
    await page.goto(`/dashboard/${otherSlug}/settings/hosts`);
    const domain = page.getByRole('textbox', { name: 'Domain', exact: true });
    const scheme = page.getByRole('combobox', { name: 'Protocol' });
    const shown = async () => [await domain.inputValue(), await scheme.inputValue()];
    const saved = async () => {
      const { data } = (await other.get('/site')).body;
      return [data.domain, data.scheme];
    };
    const save = async () => {
      await button(page, 'Save').click();
      await page.getByText('Unsaved changes', { exact: true }).waitFor({ state: 'hidden' });
    };
    await page.getByText('The URL of the site is http://localhost:8999.').waitFor();
    expect(await shown()).toEqual(['localhost:8999', 'http']);

    const chess = `${otherSlug}.example.org`;
    await domain.fill(` https://${chess.toUpperCase()}/members?week=1 `);
    await page.getByText(`The URL of the site is https://${chess}.`).waitFor();
    await button(page, 'Save').focus();
    await expect.poll(shown).toEqual([chess, 'https']);
    await save();
    expect(await saved()).toEqual([chess, 'https']);

    // An operator who chooses http gets http.
    await domain.fill('');
    await paste(domain, 'http://localhost:8999/');
    expect(await domain.inputValue()).toBe('localhost:8999');
    await domain.fill('localhost:8999');
    await domain.blur();
    await expect.poll(shown).toEqual(['localhost:8999', 'http']);
    await domain.fill(chess);
    await scheme.click();
    await expect.poll(shown).toEqual([chess, 'https']);
    await page.getByRole('option', { name: 'http', exact: true }).click();
    await save();
    expect(await saved()).toEqual([chess, 'http']);

    await domain.fill('https://Müllerei.example/');
    await button(page, 'Save').focus();
    await expect.poll(shown).toEqual(['müllerei.example', 'https']);
    await page.getByText('(https://xn--mllerei-n2a.example)').waitFor();
    const texts = await recordTexts(domain);
    await save();
    expect(await texts()).not.toContain(chess);
    expect(await saved()).toEqual(['xn--mllerei-n2a.example', 'https']);
    expect(await shown()).toEqual(['müllerei.example', 'https']);
    expect(faults).toEqual([]);
  });

  test('identity headers are named in the settings, and signed once there is a key', async () => {
    const { page } = await browser.open(server, site.siteId);
    await go(page, '/settings/headers');
    expect(await page.getByRole('combobox', { name: 'Encoding of names' }).inputValue()).toContain(
      encodeURIComponent('Zoë'),
    );
    const guide = page.getByRole('link', { name: 'How a program reads them' });
    expect(await guide.getAttribute('href')).toBe('/help/guides/identity-headers.html#how-names-are-written');
    const field = (name: string) => page.getByRole('textbox', { name, exact: true });
    await field('Member ID').fill('Cookie');
    await button(page, 'Save').click();
    await page.getByText('Use letters, digits and hyphens, such as remote-user.').waitFor();
    await field('Member ID').fill('X-WebAuth-User');
    await field('Identity token').fill('gatehouse-identity');
    await button(page, 'Save').click();
    await page.getByText('The site has no signing key yet').first().waitFor();
    await button(page, 'Create a signing key').click();
    await page.getByText('Newest key:').waitFor();
    await button(page, 'Save').click();
    await page.getByText('The settings were saved').waitFor();
    expect((await site.get('/site')).body.data.identityHeaders).toMatchObject({
      user: 'x-webauth-user',
      email: 'remote-email',
      signed: 'gatehouse-identity',
    });
    expect(await field('Member ID').inputValue()).toBe('x-webauth-user');
    await look(page, 'settings-headers');
  });

  test('an error in the settings is shown once and at its field, until it is corrected', async () => {
    const { page } = await browser.open(server, site.siteId);
    await go(page, '/settings/hosts');
    for (const viewport of [desktop, phone]) {
      await page.setViewportSize(viewport);
      const domain = page.getByRole('textbox', { name: 'Domain', exact: true });
      await domain.fill('club example');
      const sentence =
        'Enter a domain such as club.example.org. Add a port only if it is not the default port.';
      const rejected = page.waitForResponse((answer) => answer.status() === 400);
      await button(page, 'Save').click();
      const requestId = (await (await rejected).json()).error.requestId;
      const summary = page.getByText('Your changes were not saved. Correct the marked fields.');
      await summary.waitFor();
      await expect.poll(() => domain.evaluate((it) => it.matches(':focus'))).toBe(true);
      expect(await page.getByText('The URL of the site is').count()).toBe(0);
      const text = await page.getByRole('main').innerText();
      expect(text.split(sentence)).toHaveLength(2);
      expect(text).not.toContain('/domain');
      expect(text).not.toContain(requestId);
      expect(
        await page.getByRole('region', { name: 'Unsaved changes' }).evaluate((it) => it.clientHeight),
      ).toBeLessThan(150);
      const header = (await page.getByRole('banner').boundingBox())!;
      expect((await domain.boundingBox())!.y).toBeGreaterThanOrEqual(header.y + header.height);
      await look(page, `settings-refused-${viewport.width}`);
      await page.getByText('Technical details').click();
      await page.getByText(`Request ID: ${requestId}`).waitFor();
      await domain.fill('club.example');
      for (const gone of [sentence, 'Technical details', 'Your changes were not saved.'])
        await page.getByText(gone).waitFor({ state: 'detached' });
      await button(page, 'Discard').click();
    }
  });

  test('a viewer can read the settings, but not change them', async () => {
    const { page } = await browser.open(server, site.siteId, 'viewer');
    await go(page, '/settings');
    await page.waitForURL('**/settings/site');
    await page.getByText('Your role does not allow changes here').waitFor();
    expect(await page.getByRole('textbox', { name: 'Title' }).isDisabled()).toBe(true);
  });

  test('events are filtered by the URL, shown in detail, and exported without formulas', async () => {
    const { secret } = await site.createKey({ name: '=cmd|x' });
    const headers = { authorization: `Bearer ${secret}` };
    await send(`${server.apiUrl}/members`, 'POST', { headers, body: { email: 'kim@example.com' } });
    const { page, faults } = await browser.open(server, site.siteId, 'viewer');
    await go(page, `/events?type=member.updated&memberId=${ada}`);
    const list = page.getByRole('list', { name: 'Events', exact: true });
    await list.getByText('changed Ada Lovelace: name').waitFor();
    await list.getByRole('button', { name: 'Details' }).first().click();
    await list.getByText('Name: Ada <img src=x onerror=alert(1)> Lovelace → Ada Lovelace').waitFor();
    expect(await list.getByText('"changes"').count()).toBe(0);
    await list.getByRole('button', { name: 'Raw data' }).click();
    await list.getByText('"changes"').waitFor();
    await button(page, 'Clear all filters').click();
    await list.getByText('=cmd|x added kim@example.com').waitFor();
    await page.getByPlaceholder('Any event').click();
    await page.getByRole('option', { name: 'Member added' }).click();
    await page.waitForURL('**/events?type=member.created');
    await list.getByText('Alan Turing').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'Export as CSV').click(),
    ]);
    const [heads, newest, ...others] = readFileSync(await download.path(), 'utf8').split('\r\n');
    expect(heads).toMatch(/^\ufeffoccurredAt,type,actorType,actorId,actorName,ipAddress,/);
    expect(newest).toContain(`,"'=cmd|x",127.0.0.1,`);
    expect(others.filter((line) => line.includes('member.created')).length).toBeGreaterThan(1);
    expect(faults).toEqual([]);
  });

  test('a bulk action is one entry, over several requests and pages, also on the overview', async () => {
    const busy = await server.createSite();
    const address = `/dashboard/${(await busy.get('/site')).body.data.slug}`;
    const requestId = randomUUID();
    const memberIds: string[] = [];
    for (let batch = 0; batch < 3; batch += 1) {
      const members = Array.from({ length: 500 }, (_, number) => ({
        email: `m${batch}-${number}@example.com`,
      }));
      const { data } = (await busy.post('/members/bulk', { members })).body;
      memberIds.push(...data.map(({ member }: { member: { id: string } }) => member.id));
      await busy.post('/members/bulk-actions', {
        memberIds: memberIds.slice(-500),
        action: { type: 'block' },
      });
    }
    const action = { type: 'unblock' };
    for (let batch = 0; batch < 3; batch += 1) {
      const some = memberIds.slice(batch * 500, (batch + 1) * 500);
      await busy.post('/members/bulk-actions', { memberIds: some, action }, { 'x-request-id': requestId });
      await busy.patch('/site', { title: `Rowing Club ${batch}` });
    }
    const until = new Date(Date.now() + 86_400_000).toISOString();
    const group = (await busy.post('/access-groups', { name: 'Regatta' })).body.data.id;
    const add = { type: 'add_to_group', groupId: group, expiresAt: until };
    await busy.post('/members/bulk-actions', { memberIds: memberIds.slice(0, 30), action: add });
    const { page, faults } = await browser.open(server, busy.siteId);
    await page.goto(address);
    for (const [path, name] of [
      ['', 'Newest events'],
      ['/events', 'Events'],
    ] as const) {
      await turnTo(page, `${address}${path}`);
      const list = page.getByRole('list', { name, exact: true });
      await list.getByText('unblocked 1,500 members').waitFor();
      await list.getByText('added 30 members to Regatta').waitFor();
      expect(await list.getByText(/unblocked/).count()).toBe(1);
      const sentences = await list.getByRole('listitem').allInnerTexts();
      expect(sentences.filter((text) => text.includes('changed the settings'))).toHaveLength(3);
      // Actions with other request ids are separate entries.
      if (name === 'Events') {
        expect(sentences.filter((text) => / blocked 500 members/.test(text))).toHaveLength(3);
        expect(sentences.filter((text) => text.includes('added 500 members'))).toHaveLength(3);
      }
    }
    const list = page.getByRole('list', { name: 'Events', exact: true });
    await list.getByRole('button', { name: 'Show 1,500 events' }).click();
    const folded = page.getByRole('list', { name: 'Show 1,500 events' });
    await expect.poll(() => folded.getByRole('listitem').count()).toBe(20);
    await folded.getByText('unblocked m0-0@example.com').waitFor();
    await button(page, 'Show more').click();
    await expect.poll(() => folded.getByRole('listitem').count()).toBe(40);
    await folded.getByRole('button', { name: 'Details' }).first().click();
    await folded.getByText('Status: blocked → active').waitFor();
    await look(page, 'dashboard-events-folded');
    await turnTo(page, `${address}/events?type=member.unblocked&memberId=${memberIds[700]}`);
    await page.getByRole('list', { name: 'Events', exact: true }).getByText('unblocked m1-200@').waitFor();
    expect(faults).toEqual([]);
  });

  test('events are described in the language of the operator, and the overview shows emails that were not sent', async () => {
    const id = await aMember('Katherine Johnson');
    while ((await site.post(`${id}/login-links`, {})).status === 201);
    const textsByLanguage = {
      en: ['created the group', 'reached the limit of 10 emails', 'was not sent in the last 24 hours'],
      de: ['hat die Gruppe', 'hat das Limit von 10', 'in den letzten 24 Stunden nicht gesendet'],
      fr: ['a créé le groupe', 'a atteint la limite de 10', 'ces dernières 24 heures'],
      es: ['ha creado el grupo', 'ha alcanzado el límite de 10', 'en las últimas 24 horas'],
      ja: ['を作成しました', '1 時間に 10 通', '過去 24 時間に'],
    };
    for (const [locale, [group, limit, notSent]] of Object.entries(textsByLanguage)) {
      if (locale !== 'en' && !effort.languages.includes(locale)) continue;
      const { page } = await browser.open(server, site.siteId, 'viewer', { locale });
      await go(page, '');
      await page.getByRole('listitem').filter({ hasText: notSent! }).getByRole('link').click();
      await page.waitForURL('**/events?type=email-budget.exhausted');
      await page.getByRole('listitem').getByText(limit!).first().waitFor();
      await turnTo(page, `/dashboard/${slug}/events?type=access-group.created`);
      await page.getByText(group!).first().waitFor();
    }
  });

  test('operators who may log in as any member can read the content of an email', async () => {
    const { page, faults } = await browser.open(server, site.siteId);
    await go(page, '/emails');
    await emailRows(page, 'Log in to Rowing Club').first().getByRole('button').click();
    await dialog(page).getByText('/_gatehouse/link/').waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL(`**/dashboard/${slug}/emails`);
    expect(faults).toEqual([]);
  });

  test('operators see what the mail server said about a failed email, and send it again', async () => {
    const member = (await site.post('/members', { email: 'typo@example.com' })).body.data;
    const reply = '550 5.1.1 <typo@example.com>: User unknown';
    await site.failEmail(await anEmailAtRest(site, member.id), reply);
    const invitation = await anInvitedOperator(site, { email: 'nobody@example.com' });
    await everyEmailGone(server, site);
    const [{ id }] = (await site.get('/emails?limit=1')).body.data;
    await site.failEmail(id, reply.replace('typo', 'nobody'));

    const { page, faults } = await browser.open(server, site.siteId);
    await go(page, '/emails?status=failed');
    await emailRows(page, reply).getByRole('button', { name: 'Log in to Rowing Club' }).click();
    await dialog(page).getByText(reply).waitFor();
    await dialog(page).getByRole('button', { name: 'Resend' }).click();
    await page.getByText('A new email is being sent to typo@example.com.').waitFor();
    await dialog(page).getByText('No mail server is connected').waitFor();
    expect(await dialog(page).getByRole('button', { name: 'Resend' }).count()).toBe(0);
    await look(page, 'resent-email');
    await go(page, '/emails?status=failed');
    expect(await page.getByRole('link', { name: 'typo@example.com' }).getAttribute('href')).toContain(
      member.id,
    );
    await page.getByRole('button', { name: `Resend to ${invitation.email}` }).click();
    await page.getByText(`A new email is being sent to ${invitation.email}.`).waitFor();
    expect((await site.get('/emails?limit=1')).body.data[0]).toMatchObject({ type: 'invitation' });

    const { page: support } = await browser.open(server, site.siteId, 'support');
    await go(support, `/emails?email=${id}`);
    await dialog(support).getByText('User unknown').waitFor();
    expect(await dialog(support).getByRole('button', { name: 'Resend' }).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test('other operators cannot read the content of an email', async () => {
    const { page, faults } = await browser.open(server, site.siteId, 'support');
    await go(page, '/emails');
    await emailRows(page, 'Log in to Rowing Club').first().getByRole('button').click();
    await dialog(page).getByText('Your role cannot read the content').waitFor();
    expect(await page.getByText('/_gatehouse/link/').count()).toBe(0);
    expect(faults).toEqual([]);
  });
});
