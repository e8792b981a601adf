import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { look, phone, watchFaults } from '../browser.ts';
import { everyItem } from '../contract/given.ts';
import type { TestServer, TestSite } from '../test-server.ts';
import { emailTo } from '../visitor.ts';
import { skipsDashboard, startDashboard, untilQuiet, useBrowser } from './dashboard-browser.ts';
import { readQrCode } from './qr-code.ts';

const onPhone = { viewport: phone, isMobile: true, hasTouch: true };

describe.skipIf(skipsDashboard())('a class on phones', { timeout: 120_000 }, () => {
  const browser = useBrowser();
  let server: TestServer;
  let site: TestSite;
  let slug: string;
  let groupId: string;

  beforeAll(async () => {
    server = await startDashboard();
    site = await server.createSite();
    slug = (await site.get('/site')).body.data.slug;
    const domain = `club.localhost:${new URL(server.address).port}`;
    await site.patch('/site', { title: 'Rowing Club', domain, allowsAccessRequests: true });
    groupId = (await site.post('/access-groups', { name: 'Beginners' })).body.data.id;
  });

  const emailsOf = async (path: string) => (await everyItem(site, path)).map(({ email }) => email).sort();

  test('is invited by a QR code, three people join with their emails, and one who asks is approved', async () => {
    const { page, faults } = await browser.open(server, site.siteId, 'owner', onPhone);
    const url = await invite(page);

    // Other tests of the same server have emails to other addresses.
    const people = ['ada@class.example', 'grace@class.example', 'joan@class.example'];
    for (const email of people) await join(await newPhone(page, faults), url, email);
    const members = `/access-groups/${groupId}/members`;
    expect(await emailsOf(members)).toEqual(people);

    // A member who was there before, in German, asks for access to the course.
    await site.post('/members', { email: 'konrad@class.example', displayName: 'Konrad Zuse' });
    const konrad = await newPhone(page, faults, 'de');
    await logIn(konrad, 'konrad@class.example');
    await konrad.goto('/_gatehouse/join?next=/course');
    await look(konrad, 'class-ask');
    await konrad.getByRole('textbox').fill('Ich habe mich im Verein angemeldet.');
    await konrad.getByRole('button').first().click();
    await konrad.waitForLoadState();
    await look(konrad, 'class-asked');

    await approve(page);
    await expect.poll(() => emailsOf(members)).toEqual([...people, 'konrad@class.example'].sort());
    const [email] = (await site.get('/emails?limit=1')).body.data;
    expect(email).toMatchObject({ type: 'join_request_approved', recipient: 'konrad@class.example' });
    expect(faults).toEqual([]);
  });

  /** An operator creates the invitation. Returns the text of its QR code. */
  async function invite(page: Page): Promise<string> {
    await page.goto(`/dashboard/${slug}/invitations`);
    await untilQuiet(page);
    await page.getByRole('button', { name: 'Invite people' }).first().click();
    await page.getByRole('combobox', { name: 'Access groups' }).click();
    await page.getByRole('option', { name: 'Beginners' }).click();
    await page.getByRole('textbox', { name: 'How many people can join' }).fill('3');
    await look(page, 'class-invite');
    await page.getByRole('button', { name: 'Create the link' }).click();
    const code = page.getByRole('img', { name: /^QR code/ });
    await code.waitFor();
    await untilQuiet(page);
    await look(page, 'class-qr-code');
    const [invitation] = (await site.get('/invitations')).body.data;
    const read = readQrCode(
      squaresIn(
        (await code.getAttribute('viewBox'))!,
        (await code.locator('path').last().getAttribute('d'))!,
      ),
    );
    expect(read).toBe(invitation.url);
    await page.getByRole('button', { name: 'Done' }).click();
    return read;
  }

  async function newPhone(page: Page, faults: string[], locale = 'en'): Promise<Page> {
    const context: BrowserContext = await page
      .context()
      .browser()!
      .newContext({
        ...onPhone,
        locale,
        baseURL: `http://${await site.domain()}`,
      });
    const opened = await context.newPage();
    watchFaults(opened, faults);
    return opened;
  }

  /** Opens a link, and then that in the email. */
  async function join(visitor: Page, url: string, email: string): Promise<void> {
    await visitor.goto(url);
    await look(visitor, 'class-join');
    await visitor.getByRole('textbox').fill(email);
    await visitor.getByRole('button').first().click();
    await visitor.waitForURL('**/_gatehouse/check');
    await openLinkOf(visitor, email);
  }

  async function logIn(visitor: Page, email: string): Promise<void> {
    await visitor.goto('/_gatehouse/login');
    await visitor.getByRole('textbox').fill(email);
    await visitor.getByRole('button').first().click();
    await visitor.waitForURL('**/_gatehouse/check');
    await openLinkOf(visitor, email);
  }

  async function openLinkOf(visitor: Page, email: string): Promise<void> {
    await visitor.goto((await emailTo(server, email)).url);
    await visitor.waitForURL((url) => !url.pathname.startsWith('/_gatehouse/link'));
    await visitor.goto('/_gatehouse/account');
    await visitor.getByText(email).first().waitFor();
  }

  async function approve(page: Page): Promise<void> {
    await page.goto(`/dashboard/${slug}/join-requests`);
    await page.getByText('Ich habe mich im Verein angemeldet.').waitFor();
    await untilQuiet(page);
    await look(page, 'class-requests');
    await page.getByRole('button', { name: 'Approve Konrad Zuse' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Access groups' }).click();
    await page.getByRole('option', { name: 'Beginners' }).click();
    await look(page, 'class-approve');
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Konrad Zuse approved').waitFor();
    // Leaving the page sends what could still be undone.
    await page.goto(`/dashboard/${slug}/members`);
  }
});

/** The squares of a QR code that is drawn as runs of dark ones, without the free ones around it. */
function squaresIn(viewBox: string, path: string): boolean[][] {
  const border = 4;
  const size = Number(viewBox.split(' ').at(-1)) - 2 * border;
  const squares = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1/g))
    squares[Number(y) - border]!.fill(true, Number(x) - border, Number(x) - border + Number(length));
  return squares;
}
