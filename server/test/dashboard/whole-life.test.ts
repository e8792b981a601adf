import path from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { desktop, launchBrowser, watchFaults } from '../browser.ts';
import { temporaryFolder } from '../command-line.ts';
import { effort } from '../effort.ts';
import { startProcess } from '../faults/gatehouse-process.ts';
import { freePort } from '../free-port.ts';
import { clubHost, makeCertificate, writeSite } from '../gate/club.ts';
import { type Mailbox, startMailbox } from '../gate/mailbox.ts';
import { nginx } from '../gate/proxies.ts';
import { skipsDashboard } from './dashboard-browser.ts';

const secret = 'not for anonymous visitors';
const members = effort.rowsOfFile;
const memberCount = members.toLocaleString('en');

const skipped = skipsDashboard() || nginx.leftOut();

describe.skipIf(skipped)('an operator runs a site from the first start on', { timeout: 300_000 }, () => {
  let browser: Browser;
  afterAll(() => browser?.close());

  test('sets it up, logs a visitor in through nginx, blocks the visitor, and sees what happened', async () => {
    const { address, setupUrl, httpsPort, mailbox } = await startAll();
    browser = await launchBrowser(`--host-resolver-rules=MAP ${clubHost}:443 127.0.0.1:${httpsPort}`);
    const faults: string[] = [];
    const open = (options: BrowserContextOptions = {}) => openTab(browser, faults, options);
    const operator = await open({ baseURL: address });

    // The setup link of the first start creates the owner of the first site.
    await operator.goto(setupUrl);
    await operator.getByLabel('Name').fill('Grace Hopper');
    await operator.getByLabel(/mail/i).fill('grace@example.com');
    await operator.getByRole('button').click();
    await operator.waitForURL('**/dashboard/main');
    await operator.getByText(/of 6 steps done/).waitFor();

    await choosePage(operator, 'Settings', 'Site');
    await operator.getByRole('textbox', { name: 'Title' }).fill('Rowing Club');
    await button(operator, 'Save').click();
    await operator.getByText('The settings were saved').waitFor();
    await choosePage(operator, 'Domain and hosts');
    await operator.getByRole('textbox', { name: 'Domain' }).fill(clubHost);
    await operator.getByRole('combobox', { name: 'Protocol' }).click();
    await operator.getByRole('option', { name: 'https', exact: true }).click();
    await button(operator, 'Save').click();
    await expect.poll(() => button(operator, 'Save').isVisible()).toBe(false);

    await importMembers(operator);
    await choosePage(operator, 'Access groups');
    await button(operator, 'New group').first().click();
    await operator.getByLabel('Name', { exact: true }).fill('Crew');
    await button(operator, 'Create the group').click();
    await operator.getByRole('link', { name: 'Crew' }).click();
    await button(operator, 'Add a member').first().click();
    await operator.getByRole('combobox', { name: 'Add a member' }).pressSequentially('rower 1471');
    await operator.getByRole('option', { name: /Rower 1471/ }).click();
    await button(operator, 'Add').click();
    await operator.getByText('Rower 1471 was added to Crew').waitFor();
    await button(operator, 'Cancel').click();

    await choosePage(operator, 'Access rules');
    await addRule(operator, '/', 'Everyone');
    await addRule(operator, '/members', 'Access groups', 'Crew');
    await button(operator, 'Save').click();
    await operator.getByText('The access rules were saved').waitFor();

    const visitor = await open({ ignoreHTTPSErrors: true });
    const members = `https://${clubHost}/members/`;
    await visitor.goto(members);
    await visitor.getByText('Rowing Club').first().waitFor();
    await visitor.getByRole('textbox', { name: /mail/i }).fill('rower-1471@example.com');
    await visitor.getByRole('button').first().click();
    await visitor.waitForURL('**/_gatehouse/check');
    const { text } = await mailbox.next();
    await visitor.goto(/https:\/\/\S+\/_gatehouse\/link\/[\w-]{43}/.exec(text)![0]);
    await visitor.waitForURL(members);
    expect(await visitor.textContent('body')).toContain(secret);

    await choosePage(operator, 'Members');
    await operator.getByRole('searchbox').pressSequentially('1471');
    await operator.getByRole('link', { name: 'Rower 1471' }).click();
    await operator.getByRole('button', { name: 'Block' }).press('Space');
    const question = operator.getByRole('dialog', { name: 'Block Rower 1471?' });
    await question.getByRole('button', { name: 'Block' }).click();
    await operator.getByText('Rower 1471 was blocked').first().waitFor();
    await visitor.reload();
    expect(visitor.url()).toContain('/_gatehouse/login?next=');
    expect(await visitor.textContent('body')).not.toContain(secret);

    await choosePage(operator, 'Events');
    const blocked = operator.getByRole('listitem').filter({ hasText: 'Grace Hopper blocked Rower 1471' });
    expect(await blocked.textContent()).toContain('Operator · 127.0.0.1');
    const login = operator.getByRole('listitem').filter({ hasText: 'Rower 1471 logged in' });
    expect(await login.count()).toBe(1);
    expect(faults).toEqual([]);
  });
});

/** Starts Gatehouse with an empty database, a mail server, a website, and nginx in front of both. */
async function startAll(): Promise<{
  address: string;
  setupUrl: string;
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
  // Browsers treat localhost as secure, so they accept cookies as over https.
  const address = `http://localhost:${gatehousePort}`;
  const gatehouse = await startProcess(`sqlite:${path.join(folder, 'gatehouse.db')}`, {
    GATEHOUSE_PORT: gatehousePort,
    GATEHOUSE_PUBLIC_URL: address,
    GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1',
    GATEHOUSE_SMTP_URL: mailbox.url,
    GATEHOUSE_MAIL_FROM: `office@${clubHost}`,
  });
  const printed = () => /http:\S+\/dashboard\/setup\/[\w-]{43}/.exec(gatehouse.output())?.[0];
  await expect.poll(printed).toBeDefined();
  const place = { gatehousePort, appPort: gatehousePort, site, certificate, certificateKey };
  const { httpsPort, stop } = await nginx.start(place);
  onTestFinished(stop);
  return { address, setupUrl: printed()!, httpsPort, mailbox };
}

/** A separate browser context. Any error on its pages fails the test. */
async function openTab(browser: Browser, faults: string[], options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({
    viewport: desktop,
    locale: 'en',
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  watchFaults(page, faults);
  return page;
}

async function choosePage(page: Page, name: string, heading = name): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
}

async function addRule(page: Page, rulePath: string, access: string, group?: string): Promise<void> {
  await button(page, 'Add a rule').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Path' }).fill(rulePath);
  await dialog.getByRole('radio', { name: access, exact: true }).check();
  if (group !== undefined) {
    await dialog.getByRole('combobox', { name: 'Groups' }).click();
    await page.getByRole('option', { name: group }).click();
  }
  await dialog.getByRole('button', { name: 'Apply' }).click();
}

async function importMembers(page: Page): Promise<void> {
  await choosePage(page, 'Members');
  await page.getByRole('link', { name: 'Add members' }).first().click();
  await page.getByRole('tab', { name: 'CSV file' }).click();
  const rows = Array.from({ length: members }, (_, index) => `rower-${index}@example.com,Rower ${index}`);
  const buffer = Buffer.from(['email,name', ...rows].join('\n'));
  await page.locator('input[type=file]').setInputFiles({ name: 'members.csv', mimeType: 'text/csv', buffer });
  await button(page, `Add ${memberCount} members`).click();
  await page.getByText(`${memberCount} of ${memberCount} done. ${memberCount} members were added.`).waitFor();
}

function button(page: Page, name: string) {
  return page.getByRole('button', { name, exact: true });
}
