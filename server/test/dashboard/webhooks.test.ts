import type { Page } from 'playwright-core';
import { Webhook as Verifier } from 'standardwebhooks';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { look } from '../browser.ts';
import { aGroup, aMember, aMembership, aWebhook } from '../contract/given.ts';
import type { TestServer, TestSite } from '../test-server.ts';
import { startWebhookReceiver } from '../webhook-receiver.ts';
import { skipsDashboard, startDashboard, untilQuiet, untilStill, useBrowser } from './dashboard-browser.ts';

describe.skipIf(skipsDashboard())('the pages of webhooks', { timeout: 120_000 }, () => {
  const browser = useBrowser();
  let server: TestServer;

  beforeAll(async () => {
    server = await startDashboard();
  });

  async function aClub(): Promise<{ site: TestSite; slug: string }> {
    const site = await server.createSite();
    const { slug } = (await site.patch('/site', { title: 'Rowing Club' })).body.data;
    return { site, slug };
  }

  async function aReceiver() {
    const receiver = await startWebhookReceiver();
    onTestFinished(() => receiver.stop());
    return receiver;
  }

  const press = (page: Page, name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' }).click();
  const seen = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
  const dialog = (page: Page) => page.getByRole('dialog');
  const rows = (page: Page) => page.getByRole('table', { name: 'Deliveries' }).locator('tbody tr');
  const stateOf = async (site: TestSite, id: string) => (await site.get(`/webhooks/${id}`)).body.data;

  async function choose(page: Page, field: string, option: string): Promise<void> {
    await page.getByRole('combobox', { name: field }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  }

  test('a webhook is created, its secret is shown once, and what it sends can be looked up and sent again', async () => {
    const receiver = await aReceiver();
    const { site, slug } = await aClub();
    const { page, faults } = await browser.open(server, site.siteId);
    await page.goto(`/dashboard/${slug}`);
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await seen(page, 'No webhooks yet');
    expect(await page.getByRole('link', { name: 'How webhooks work' }).getAttribute('href')).toMatch(
      /^\/docs/,
    );
    await page.getByRole('button', { name: 'Create webhook' }).first().click();
    await dialog(page).getByRole('button', { name: 'Create webhook' }).click();
    await seen(page, 'Enter a whole URL');
    await page.getByRole('textbox', { name: 'URL' }).fill('https://10.0.0.1/hook');
    await page.getByRole('textbox', { name: 'Description' }).fill('Shop');
    await page.getByRole('radio', { name: 'Selected types' }).click();
    await choose(page, 'Types of events', 'Member added');
    await page.getByRole('heading', { name: 'Create webhook' }).click();
    await dialog(page).getByRole('button', { name: 'Create webhook' }).click();
    await seen(page, 'The host is in a private network');
    await untilStill(page);
    await look(page, 'webhooks-create');
    await page.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
    await dialog(page).getByRole('button', { name: 'Create webhook' }).click();
    const secret = await dialog(page)
      .getByText(/^whsec_/)
      .innerText();
    await untilStill(page);
    await look(page, 'webhooks-secret');
    await press(page, 'Done');
    await seen(page, 'It waits for the first event.');
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('link', { name: 'Shop' }).click();
    await seen(page, 'Send a test to try the webhook.');

    const member = await aMember(site, { displayName: 'Ada' });
    const [message] = await receiver.waitFor(1);
    new Verifier(secret).verify(message!.text, message!.headers as Record<string, string>);
    await seen(page, '100% of 1 delivery in 7 days was accepted');
    await page.getByRole('img', { name: /: 1 accepted, 0 failed$/ }).waitFor();
    const href = `/dashboard/${slug}/members/${member.id}`;
    expect(await rows(page).getByRole('link', { name: 'Ada' }).getAttribute('href')).toBe(href);
    await rows(page).filter({ hasText: '204' }).getByRole('button').click();
    await dialog(page).getByText('Status 204').waitFor();
    expect(await dialog(page).getByRole('link', { name: 'Ada' }).getAttribute('href')).toBe(href);
    const headers = await page.getByRole('region', { name: 'Headers of the request' }).innerText();
    for (const name of ['content-type', 'user-agent', 'webhook-id', 'webhook-timestamp'])
      expect(headers).toContain(`${name}: ${message!.headers[name]}`);
    const body = JSON.parse(await page.getByRole('region', { name: 'Body of the request' }).innerText());
    expect(body).toEqual(message!.body);
    expect(body.data.member.id).toBe(member.id);
    await untilStill(page);
    await look(page, 'webhooks-delivery');
    const first = new URL(page.url()).searchParams.get('delivery');
    await press(page, 'Send again');
    await page.waitForURL((url) => url.searchParams.get('delivery') !== first);
    await dialog(page).getByText('Sent again on request').waitFor();
    await dialog(page).getByText('Accepted').waitFor();
    expect(receiver.messages.map(({ text }) => text)).toEqual([message!.text, message!.text]);
    await page.keyboard.press('Escape');
    await expect.poll(() => rows(page).count()).toBe(2);
    await seen(page, /^Last accepted/);
    expect(faults).toEqual([]);
  });

  test('a test shows what the receiver answered, and failures are found by state and type', async () => {
    const receiver = await aReceiver();
    const { site, slug } = await aClub();
    const { id } = await aWebhook(site, { url: receiver.url, eventTypes: ['member.created'] });
    const { page, faults } = await browser.open(server, site.siteId);
    await page.goto(`/dashboard/${slug}/webhooks/${id}`);
    await press(page, 'Send a test');
    await dialog(page).getByText('The receiver accepted the test.').waitFor();
    await press(page, 'Done');
    receiver.respond = (response) => response.writeHead(503).end('{"error":"database is locked"}');
    await press(page, 'Send a test');
    await dialog(page).getByText('The receiver did not accept the test').waitFor();
    await dialog(page).getByText('Status 503').waitFor();
    await dialog(page).getByText('database is locked').waitFor();
    await untilStill(page);
    await look(page, 'webhooks-test');
    await press(page, 'Done');
    await expect.poll(() => rows(page).count()).toBe(2);

    receiver.respond = undefined;
    await aMember(site);
    await expect.poll(() => rows(page).count()).toBe(3);
    await choose(page, 'Event', 'Test');
    await expect.poll(() => rows(page).count()).toBe(2);
    await choose(page, 'Status', 'Failed');
    await expect.poll(() => rows(page).allInnerTexts()).toEqual([expect.stringContaining('503')]);
    const filters = Object.fromEntries(new URL(page.url()).searchParams);
    expect(filters).toEqual({ status: 'failed', type: 'webhook.test' });
    await choose(page, 'Status', 'Waiting');
    await seen(page, 'No deliveries match');
    await press(page, 'Show all');
    await expect.poll(() => rows(page).count()).toBe(3);
    expect(faults).toEqual([]);
  });

  test('settings are changed, also while the state changes, but not over those of somebody else', async () => {
    const receiver = await aReceiver();
    const { site, slug } = await aClub();
    const group = await aGroup(site, { name: 'Crew' });
    const { id } = await aWebhook(site, { url: receiver.url, eventTypes: ['member.created'] });
    const { page, faults } = await browser.open(server, site.siteId);
    await page.goto(`/dashboard/${slug}/webhooks/${id}`);
    await press(page, 'Change');
    await page.getByRole('textbox', { name: 'Description' }).fill('Shop');
    await choose(page, 'Only about these access groups', 'Crew');
    await page.getByRole('radio', { name: 'Only IDs' }).click();
    await page.getByRole('radio', { name: 'In order, one after another' }).click();
    // Another field was changed meanwhile, which does not matter.
    await site.patch(`/webhooks/${id}`, { eventTypes: ['access-group.member.added', 'member.created'] });
    await press(page, 'Save');
    await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
    expect(await stateOf(site, id)).toMatchObject({
      url: receiver.url,
      description: 'Shop',
      groupIds: [group.id],
      content: 'ids',
      parallelism: 1,
      eventTypes: ['access-group.member.added', 'member.created'],
    });
    await seen(page, 'Added to a group');
    const { id: memberId } = await aMember(site);
    await aMembership(site, group.id, memberId);
    expect((await receiver.waitFor(1))[0]!.body.data).toEqual({ groupId: group.id, memberId });

    await press(page, 'Change');
    await page.getByRole('textbox', { name: 'Description' }).fill('Mine');
    await site.patch(`/webhooks/${id}`, { description: 'Theirs' });
    await press(page, 'Save');
    await seen(page, 'Someone else has changed this webhook');
    await press(page, 'Load the saved version');
    await page.getByRole('heading', { level: 1, name: 'Theirs' }).waitFor();
    expect((await stateOf(site, id)).description).toBe('Theirs');
    expect(faults).toEqual([]);
  });

  test('it is disabled and enabled, its secret is replaced, and it is deleted', async () => {
    const receiver = await aReceiver();
    const { site, slug } = await aClub();
    const { id, secret } = await aWebhook(site, { url: receiver.url, description: 'Shop' });
    const { page, faults } = await browser.open(server, site.siteId);
    await page.goto(`/dashboard/${slug}/webhooks/${id}`);
    const sends = page.getByRole('switch', { name: 'Send events' });
    await sends.click();
    await press(page, 'Disable');
    await seen(page, 'Nothing is sent until it is enabled.');
    expect(await stateOf(site, id)).toMatchObject({ enabled: false, disabledReason: 'request' });
    for (const name of ['Send a test', 'Send events again'])
      expect(await page.getByRole('button', { name }).isDisabled()).toBe(true);
    await sends.click();
    await seen(page, 'Shop was enabled');
    await expect.poll(async () => (await stateOf(site, id)).enabled).toBe(true);

    await press(page, 'Replace secret');
    await dialog(page).getByRole('button', { name: 'Replace secret' }).click();
    const replaced = await dialog(page)
      .getByText(/^whsec_/)
      .innerText();
    await seen(page, 'The previous one signs too until');
    await press(page, 'Done');
    await seen(page, 'both sign until');
    receiver.messages.length = 0;
    await press(page, 'Send a test');
    await dialog(page).getByText('The receiver accepted the test.').waitFor();
    const { text, headers } = (await receiver.waitFor(1)).at(-1)!;
    for (const each of [secret, replaced]) new Verifier(each).verify(text, headers as Record<string, string>);
    await press(page, 'Done');

    await press(page, 'Delete webhook');
    await press(page, 'Delete');
    await seen(page, 'No webhooks yet');
    expect((await site.get('/webhooks')).body.data).toEqual([]);
    await page.goBack();
    await seen(page, 'Webhook not found');
    expect(faults).toEqual([]);
  });

  test('one that Gatehouse disabled is named on the overview, enabled, and sends what was missed', async () => {
    const receiver = await aReceiver();
    const { site, slug } = await aClub();
    const { id } = await aWebhook(site, {
      url: receiver.url,
      description: 'Old newsletter',
      eventTypes: ['member.created'],
    });
    receiver.respond = (response) => response.writeHead(410).end();
    await aMember(site);
    await expect.poll(async () => (await stateOf(site, id)).disabledReason).toBe('gone');
    await aMember(site);
    receiver.messages.length = 0;
    const { page, faults } = await browser.open(server, site.siteId, 'admin');
    await page.goto(`/dashboard/${slug}`);
    const note = page.getByRole('listitem').filter({ hasText: 'The webhook “Old newsletter” was disabled' });
    await note.getByText('It responded with 410 Gone').waitFor();
    await untilQuiet(page);
    await look(page, 'webhooks-overview');
    await note.getByRole('link', { name: 'See deliveries' }).click();
    await seen(page, 'Disabled: it responded with 410 Gone');
    await untilQuiet(page);
    await look(page, 'webhooks-stopped');
    await press(page, 'Enable');
    await seen(page, 'Here you can also send what the receiver has missed');
    await untilStill(page);
    receiver.respond = (response) => setTimeout(() => response.writeHead(204).end(), 300);
    await choose(page, 'Types of events', 'Member added');
    await page.getByRole('heading', { name: 'Send the events of a period again' }).click();
    await press(page, 'Send again');
    await receiver.waitFor(2);
    await expect.poll(async () => (await stateOf(site, id)).replay).toBeNull();
    await expect.poll(() => rows(page).filter({ hasText: 'Sent again on request' }).count()).toBe(2);
    expect(faults).toEqual([]);
  });

  test('events that are sent again show their progress', async () => {
    const receiver = await aReceiver();
    const { site, slug } = await aClub();
    const { id } = await aWebhook(site, {
      url: receiver.url,
      parallelism: 1,
      eventTypes: ['member.created'],
    });
    for (let count = 0; count < 4; count += 1) await aMember(site);
    await receiver.waitFor(4);
    receiver.respond = (response) => {
      if (receiver.messages.length < 7) response.writeHead(204).end();
    };
    const { page, faults } = await browser.open(server, site.siteId);
    await page.goto(`/dashboard/${slug}/webhooks/${id}`);
    await press(page, 'Send events again');
    await press(page, 'Send again');
    await seen(page, 'Enter a date and a time.');
    await page.getByLabel('From').fill('2026-01-01T00:00');
    await page.getByLabel('Until').fill('2025-01-01T00:00');
    await press(page, 'Send again');
    await seen(page, 'Choose a time after the beginning.');
    await page.getByLabel('Until').fill('');
    await press(page, 'Send again');
    const progress = page.getByRole('progressbar', { name: 'Events are being sent again' });
    await expect.poll(async () => Number(await progress.getAttribute('aria-valuenow'))).toBeGreaterThan(0);
    await untilQuiet(page);
    await look(page, 'webhooks-replaying');
    expect(faults).toEqual([]);
  });

  test('a failing one is named on the overview, and sends everything once a test is accepted', async () => {
    const receiver = await aReceiver();
    const { site, slug } = await aClub();
    const { id } = await aWebhook(site, { url: receiver.url, eventTypes: ['member.created'] });
    receiver.respond = (response) => response.writeHead(500).end();
    for (let count = 0; count < 6; count += 1) await aMember(site);
    await expect.poll(async () => (await stateOf(site, id)).status, { timeout: 20_000 }).toBe('failing');
    receiver.respond = undefined;
    receiver.messages.length = 0;
    const { page, faults } = await browser.open(server, site.siteId);
    await page.goto(`/dashboard/${slug}`);
    const note = page.getByRole('listitem').filter({ hasText: '” is failing' });
    await note.getByRole('link', { name: 'See deliveries' }).click();
    await seen(page, /Failing since/);
    await untilQuiet(page);
    await look(page, 'webhooks-failing');
    await press(page, 'Send a test');
    await dialog(page).getByText('The receiver accepted the test.').waitFor();
    await press(page, 'Done');
    await seen(page, /^Last accepted/);
    await receiver.waitFor(7);
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByText('Nothing needs attention').waitFor();
    expect(faults).toEqual([]);
  });

  test('deliveries stay where they are for a reader who has scrolled down', async () => {
    const receiver = await aReceiver();
    const { site, slug } = await aClub();
    const { id } = await aWebhook(site, { url: receiver.url, eventTypes: ['member.created'] });
    for (let count = 0; count < 20; count += 1) await aMember(site);
    await receiver.waitFor(20);
    const { page, faults } = await browser.open(server, site.siteId);
    await page.goto(`/dashboard/${slug}/webhooks/${id}`);
    await expect.poll(() => rows(page).count()).toBe(20);
    await untilQuiet(page);
    await page.mouse.wheel(0, 900);
    await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(300);
    const limits: (string | null)[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith('/deliveries')) limits.push(searchParams.get('limit'));
    });
    await aMember(site);
    // The last success is asked for half as often as the list at the top.
    await expect.poll(() => limits).toEqual(['1']);
    expect(await rows(page).count()).toBe(20);
    await page.mouse.wheel(0, -900);
    await expect.poll(() => rows(page).count()).toBe(21);
    expect(faults).toEqual([]);
  });

  test('the search finds the page and creates a webhook, for operators who may', async () => {
    const { site, slug } = await aClub();
    const { page, faults } = await browser.open(server, site.siteId, 'viewer');
    await page.goto(`/dashboard/${slug}`);
    await page.getByRole('link', { name: 'Members', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0);

    const { page: other, faults: otherFaults } = await browser.open(server, site.siteId);
    await other.goto(`/dashboard/${slug}`);
    await other.getByRole('link', { name: 'Webhooks' }).waitFor();
    await other.keyboard.press('ControlOrMeta+k');
    await other.getByRole('textbox', { name: /Search/ }).fill('webhook');
    await other.getByRole('button', { name: 'Webhooks' }).waitFor();
    await other.getByRole('button', { name: 'New webhook' }).click();
    await other.getByRole('dialog', { name: 'Create webhook' }).waitFor();
    expect([faults, otherFaults]).toEqual([[], []]);
  });
});
