import path from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../command-line.ts';
import { startProcess } from '../faults/gatehouse-process.ts';
import { clubHost, makeCertificate, writeSite } from '../gate/club.ts';
import { type Mailbox, startMailbox } from '../gate/mailbox.ts';
import { freePort, nginx } from '../gate/proxies.ts';
import { browserFlags, desktop, executablePath, leftOutDashboard } from './dashboard-browser.ts';

const secret = 'not for strangers';
const people = 5_000;

const leftOut = leftOutDashboard() || nginx.leftOut();

describe.skipIf(leftOut)('an operator runs a site from the first start on', { timeout: 300_000 }, () => {
  let browser: Browser;
  afterAll(() => browser?.close());

  test('sets it up, lets a visitor in through nginx, shuts the door again, and sees what happened', async () => {
    const { address, welcome, httpsPort, mailbox } = await startAll();
    browser = await chromium.launch({
      executablePath,
      args: [...browserFlags, `--host-resolver-rules=MAP ${clubHost}:443 127.0.0.1:${httpsPort}`],
    });
    const faults: string[] = [];
    const open = (options: BrowserContextOptions = {}) => openPage(browser, faults, options);
    const operator = await open({ baseURL: address });

    // The first start's link makes the owner of the first site.
    await operator.goto(welcome);
    await operator.getByLabel('Name').fill('Grace Hopper');
    await operator.getByLabel(/mail/i).fill('grace@example.com');
    await operator.getByRole('button').click();
    await operator.waitForURL('**/dashboard/main');
    await operator.getByText(/of 6 steps done/).waitFor();

    await openPlace(operator, 'Settings');
    await operator.getByRole('textbox', { name: 'Title' }).fill('Rowing Club');
    await operator.getByRole('textbox', { name: 'Domain' }).fill(clubHost);
    await operator.getByRole('combobox', { name: 'Reached by' }).click();
    await operator.getByRole('option', { name: 'https', exact: true }).click();
    await button(operator, 'Save').click();
    await operator.getByText('The settings are saved').waitFor();

    await importPeople(operator);
    await openPlace(operator, 'Access groups');
    await button(operator, 'New group').first().click();
    await operator.getByLabel('Name', { exact: true }).fill('Crew');
    await button(operator, 'Create the group').click();
    await operator.getByRole('link', { name: 'Crew' }).click();
    await operator.getByPlaceholder('Name or address').click();
    await operator.keyboard.type('rower 4711');
    await operator.getByRole('option', { name: /Rower 4711/ }).click();
    await button(operator, 'Add').click();
    await operator.getByText('Rower 4711 is in Crew').waitFor();

    await openPlace(operator, 'Access rules');
    await addRule(operator, '/', 'Everybody');
    await addRule(operator, '/members', 'Access groups', 'Crew');
    await button(operator, 'Save').click();
    await operator.getByText('The access rules are saved').waitFor();

    const visitor = await open({ ignoreHTTPSErrors: true });
    const members = `https://${clubHost}/members/`;
    await visitor.goto(members);
    await visitor.getByText('Rowing Club').first().waitFor();
    await visitor.getByRole('textbox', { name: /mail/i }).fill('rower-4711@example.com');
    await visitor.getByRole('button').first().click();
    await visitor.waitForURL('**/_gatehouse/check');
    const { text } = await mailbox.next();
    await visitor.goto(/https:\/\/\S+\/_gatehouse\/link\/[\w-]{43}/.exec(text)![0]);
    await visitor.waitForURL(members);
    expect(await visitor.textContent('body')).toContain(secret);

    await openPlace(operator, 'Members');
    await operator.getByRole('searchbox').pressSequentially('4711');
    await operator.getByRole('link', { name: 'Rower 4711' }).click();
    await operator.getByRole('switch', { name: 'Block' }).press('Space');
    const question = operator.getByRole('dialog', { name: 'Block Rower 4711?' });
    await question.getByRole('button', { name: 'Block' }).click();
    await operator.getByText('Rower 4711 is blocked').waitFor();
    await visitor.reload();
    expect(visitor.url()).toContain('/_gatehouse/login?next=');
    expect(await visitor.textContent('body')).not.toContain(secret);

    await openPlace(operator, 'Events');
    const blocked = operator.getByRole('listitem').filter({ hasText: 'Grace Hopper blocked Rower 4711' });
    expect(await blocked.textContent()).toContain('Operator · 127.0.0.1');
    const login = operator.getByRole('listitem').filter({ hasText: 'Rower 4711 logged in' });
    expect(await login.count()).toBe(1);
    expect(faults).toEqual([]);
  });
});

/** Gatehouse for the first time, as its programs start it, with a mail server, a website and the nginx before both. */
async function startAll(): Promise<{
  address: string;
  welcome: string;
  httpsPort: number;
  mailbox: Mailbox;
}> {
  const folder = temporaryFolder();
  const site = path.join(folder, 'site');
  writeSite(site, secret);
  const [certificate, certificateKey] = makeCertificate(folder);
  const mailbox = await startMailbox();
  onTestFinished(() => mailbox.stop());
  const gatehousePort = await freePort();
  // Where browsers take cookies as if it were over https.
  const address = `http://localhost:${gatehousePort}`;
  const gatehouse = await startProcess(`sqlite:${path.join(folder, 'gatehouse.db')}`, {
    GATEHOUSE_PORT: gatehousePort,
    GATEHOUSE_PUBLIC_URL: address,
    GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1',
    GATEHOUSE_SMTP_URL: mailbox.url,
    GATEHOUSE_MAIL_FROM: `office@${clubHost}`,
  });
  const printed = () => /http:\S+\/dashboard\/welcome\/[\w-]{43}/.exec(gatehouse.output())?.[0];
  await expect.poll(printed).toBeDefined();
  const place = { gatehousePort, appPort: gatehousePort, site, certificate, certificateKey };
  const { httpsPort, stop } = await nginx.start(place);
  onTestFinished(stop);
  return { address, welcome: printed()!, httpsPort, mailbox };
}

/** A browser of its own; whatever goes wrong on its pages fails the test. */
async function openPage(browser: Browser, faults: string[], options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ viewport: desktop, locale: 'en', ...options });
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (/Content Security Policy|Refused/.test(message.text())) faults.push(message.text());
  });
  return page;
}

async function openPlace(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

async function addRule(page: Page, rulePath: string, access: string, group?: string): Promise<void> {
  await button(page, 'Add a rule').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Path' }).fill(rulePath);
  await dialog.getByRole('radio', { name: access, exact: true }).check();
  if (group !== undefined) {
    await dialog.getByRole('combobox', { name: 'Which groups' }).click();
    await page.getByRole('option', { name: group }).click();
  }
  await dialog.getByRole('button', { name: 'Apply' }).click();
}

async function importPeople(page: Page): Promise<void> {
  await openPlace(page, 'Members');
  await page.getByRole('link', { name: 'Add people' }).first().click();
  await page.getByRole('tab', { name: 'CSV file' }).click();
  const rows = Array.from({ length: people }, (_, index) => `rower-${index}@example.com,Rower ${index}`);
  const buffer = Buffer.from(['email,name', ...rows].join('\n'));
  await page.locator('input[type=file]').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer });
  await button(page, 'Add 5,000 people').click();
  await page.getByText('5,000 of 5,000 done. 5,000 were added.').waitFor();
}

function button(page: Page, name: string) {
  return page.getByRole('button', { name, exact: true });
}
