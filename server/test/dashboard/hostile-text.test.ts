import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import { insertPasskey } from '../../src/domain/passkeys/passkey-store.ts';
import { openSession } from '../../src/domain/sessions/sessions.ts';
import { changing } from '../change.ts';
import {
  hostileAddresses,
  hostileBrowsers,
  hostilePaths,
  hostileTexts,
  typicalTexts,
} from '../hostile/hostile-texts.ts';
import { startListServer } from '../list-server.ts';
import { operatorTenantOf, type TestOperator } from '../operator.ts';
import { storeJoinRequest } from '../stored-rows.ts';
import type { TestServer, TestSite } from '../test-server.ts';
import {
  type OperatorPage,
  skipsDashboard,
  startDashboard,
  turnTo,
  useBrowser,
} from './dashboard-browser.ts';

/** A site with a hostile text as its title. */
interface TitledSite {
  site: TestSite;
  slug: string;
  origin: string;
  title: string;
}

// The pages are opened without their Content-Security-Policy, so that an injected script would run. All other tests
// show that the pages work with the policy. For the pages that visitors see and for emails, hostile/pages.test.ts
// checks each text.
describe.skipIf(skipsDashboard())('hostile texts', { timeout: 180_000 }, () => {
  const browser = useBrowser();
  let server: TestServer;
  let site: TestSite;
  let slug: string;
  let titled: TitledSite[];
  let memberIds: string[];
  let groupIds: string[];

  beforeAll(async () => {
    server = await startDashboard();
    site = await server.createSite();
    slug = (await site.patch('/site', { title: 'Rowing Club' })).body.data.slug;
    await fill();
    titled = await Promise.all(hostileTexts.map(aTitledSite));
  });

  /** Creates one site with every text in every field that is listed. */
  async function fill(): Promise<void> {
    groupIds = [];
    for (const text of hostileTexts) {
      groupIds.push(await made(site.post('/access-groups', { name: text, description: text })));
      await made(site.post('/api-keys', { name: text, permissions: ['site:read'] }));
      await made(
        site.post('/operators', { email: `${newId()}@example.com`, displayName: text, role: 'viewer' }),
      );
    }
    memberIds = [];
    for (const displayName of hostileTexts) {
      memberIds.push(await made(site.post('/members', { email: `${newId()}@example.com`, displayName })));
    }
    for (const email of hostileAddresses) memberIds.push(await made(site.post('/members', { email })));
    for (const groupId of groupIds) {
      await made(site.post(`/access-groups/${groupId}/members`, { memberId: memberIds[0] }));
    }
    await changing(server.database, site.siteId, async (change) => {
      for (const userAgent of hostileBrowsers.slice(0, 20)) {
        await openSession(change, memberIds[0]!, { userAgent, ipAddress: null }, 'link');
      }
    });
    await changing(server.database, site.siteId, async (change) => {
      for (const text of hostileTexts.slice(0, 20))
        await storeJoinRequest(change, { displayName: text, message: text, path: `/${text}` });
    });
    const rules = hostilePaths.map((path) => ({ path, access: 'groups', groupIds: groupIds.slice(0, 20) }));
    const saved = await site.request('PUT', '/access-rules', { body: { rules } });
    expect(saved.status, saved.text).toBe(200);
  }

  async function aTitledSite(title: string): Promise<TitledSite> {
    const titledSite = await server.createSite();
    const { slug } = (await titledSite.get('/site')).body.data;
    const domain = `${slug}.localhost:${new URL(server.address).port}`;
    const changed = await titledSite.patch('/site', { title, domain });
    expect(changed.status, changed.text).toBe(200);
    return { site: titledSite, slug, origin: `http://${domain}`, title };
  }

  /** Creates an object with the API. Returns its id. */
  async function made(answer: ReturnType<TestSite['post']>): Promise<string> {
    const { status, text, body } = await answer;
    expect(status, text).toBe(201);
    return body.data.id;
  }

  /** Opens a page that records any harm that a text causes. */
  async function open(): Promise<OperatorPage & { harm: string[] }> {
    const opened = await browser.open(server, site.siteId, 'owner', { bypassCSP: true });
    return { ...opened, harm: await watch(opened) };
  }

  const go = (page: Page, path: string) => page.goto(`/dashboard/${slug}${path}`);
  const pick = <T extends { title: string }>(all: readonly T[]) =>
    all.filter(({ title }) => typicalTexts.includes(title));

  test('there are at least fifty, and they cause harm if they are inserted as HTML', async () => {
    expect(new Set(hostileTexts).size).toBe(hostileTexts.length);
    expect(hostileTexts.length).toBeGreaterThanOrEqual(50);
    expect(hostileTexts.filter((text) => text.length > 100 || text !== text.trim())).toEqual([]);
    expect(hostileTexts).toEqual(expect.arrayContaining([...typicalTexts]));
    const { page, harm } = await open();
    await page.goto('/dashboard/me');
    for (const text of ['<img src=x onerror=canary()>', '<img src=x onerror=alert(1)>']) {
      await page.evaluate(`document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(text)})`);
      await expect.poll(() => harm.splice(0).length).toBe(1);
    }
  });

  test('are shown as text on the pages that list them', async () => {
    const { page, harm, operator } = await open();
    await nameEverything(operator);
    await page.goto('/dashboard/me');
    await expectShown(page, [hostileTexts[0]!, ...hostileTexts.slice(0, 20)]);
    for (const [path, ...lists] of [
      ['/members', hostileTexts, hostileAddresses],
      ['/join-requests', hostileTexts.slice(0, 20)],
      ['/groups', hostileTexts],
      ['/rules', hostilePaths.map((path) => path.slice(1))],
      ['/keys', hostileTexts],
      ['/operators', hostileTexts],
      ['/events', hostileTexts, hostileAddresses],
    ] as const) {
      await turnTo(page, `/dashboard/${slug}${path}`);
      await expectShown(page, lists.flat());
    }
    expect(harm).toEqual([]);
  });

  test('are shown as text on the pages of a group and a member', async () => {
    const { page, harm } = await open();
    await go(page, '/groups');
    const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
    for (const text of typicalTexts) {
      await turnTo(page, `/dashboard/${slug}/groups/${groupIds[hostileTexts.indexOf(text)]}`);
      await heading(text).waitFor();
      await expectShown(page, [text, hostileTexts[0]!]);
    }
    const names = [...hostileTexts, ...hostileAddresses];
    for (const name of [hostileTexts[0]!, ...typicalTexts, ...hostileAddresses]) {
      await turnTo(page, `/dashboard/${slug}/members/${memberIds[names.indexOf(name)]}`);
      await heading(name).waitFor();
      // The first one is in every group.
      await expectShown(page, name === hostileTexts[0] ? hostileTexts : [name]);
    }
    expect(harm).toEqual([]);
  });

  test('are shown as text on the pages of sources', async () => {
    const { page, harm } = await open();
    for (const name of hostileTexts) await made(site.post('/sources', { type: 'program', name }));
    await go(page, '/sources');
    await expectShown(page, hostileTexts);
    const line = (texts: readonly string[]) =>
      texts.map((text) => `"${text.replaceAll('"', '""')}"`).join(',');
    const rows = typicalTexts.map((text) => line(hostileTexts.map(() => text)));
    const served = await startListServer([line(hostileTexts), ...rows].join('\n'));
    onTestFinished(() => served.stop());
    const list = { type: 'list', name: `${typicalTexts[0]} list`, address: served.address };
    const id = await made(site.post('/sources', list));
    await turnTo(page, `/dashboard/${slug}/sources/set-up?source=${id}`);
    await expectShown(page, [...hostileTexts, list.name]);
    const columns = { email: hostileTexts[0], groups: hostileTexts[1] };
    await site.patch(`/sources/${id}`, { collections: [{ key: 'list', columns }] });
    await go(page, `/sources/set-up?source=${id}`);
    await expectShown(page, [...typicalTexts, list.name]);
    expect(harm).toEqual([]);
  });

  test('are shown as text when they are pasted, and in the cells of a file', async () => {
    const { page, harm } = await open();
    await go(page, '/add');
    await page.getByRole('tab', { name: 'Paste email addresses' }).click();
    const pasted = hostileTexts.map((text, index) => `${text} <paste-${index}@example.com>`);
    await page.getByRole('textbox', { name: 'Email addresses' }).fill(pasted.join('\n'));
    await page.getByRole('tab', { name: 'CSV file' }).click();
    const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
    for (const texts of batches(hostileTexts)) {
      const wrong = texts.map((text) => [text, text, text].map(cell));
      const buffer = Buffer.from([['email', 'name', texts[0]!].map(cell), ...wrong].join('\n'));
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: `${texts[0]}.csv`, mimeType: 'text/csv', buffer });
      await expectShown(page, texts);
      await page.getByRole('button', { name: 'Another file' }).click();
    }
    expect(harm).toEqual([]);
  });

  test('are shown as text in dialogs, in the search and in options', async () => {
    const { page, harm } = await open();
    const name = '"><img src=x onerror=canary()>';
    await go(page, '/keys');
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('dialog', { name: `Revoke ${name}?` }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await turnTo(page, `/dashboard/${slug}/operators`);
    await page.getByRole('button', { name: `Remove ${name}` }).click();
    await page.getByRole('dialog', { name: `Remove ${name}` }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search or go to…' }).locator('input:focus').fill(name);
    await page.getByRole('dialog').getByRole('button', { name }).first().waitFor();
    await turnTo(page, `/dashboard/${slug}/rules`);
    await page.getByPlaceholder('Not logged in').fill(name);
    await page.getByRole('option', { name }).first().waitFor();
    for (const text of typicalTexts) {
      await page.getByRole('textbox', { name: 'Path' }).fill(`/${text}`);
      await page.getByRole('textbox', { name: 'Path' }).press('Enter');
    }
    expect(harm).toEqual([]);
  });

  test('are shown as text in the title of a site', async () => {
    const { page, harm, operator } = await open();
    await Promise.all(
      titled.map((each) => made(each.site.post('/operators', { email: operator.email, role: 'owner' }))),
    );
    await go(page, '');
    await page.getByRole('button', { name: 'Rowing Club' }).click();
    await expectShown(page, hostileTexts);
    for (const { slug, title } of pick(titled)) {
      await turnTo(page, `/dashboard/${slug}`);
      await page.getByRole('main').getByText(title, { exact: true }).first().waitFor();
      await turnTo(page, `/dashboard/${slug}/settings/look`);
      const preview = page.frameLocator('iframe[title="Login page"]');
      await preview.getByText(title).first().waitFor({ state: 'attached' });
      await turnTo(page, `/dashboard/${slug}/settings/site`);
      expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe(title);
    }
    expect(harm).toEqual([]);
  });

  test('are shown as text on the pages that visitors see, and in emails', async () => {
    const { page, harm } = await open();
    for (const { site, origin, title } of pick(titled)) {
      const requested = new URLSearchParams({ next: `/${title}`, email: title });
      await page.goto(`${origin}/_gatehouse/login?${requested}`);
      await expectShown(page, [title]);
      const email = `${newId()}@example.com`;
      const memberId = await made(site.post('/members', { email, displayName: title }));
      const link = await site.post(`/members/${memberId}/login-links`, { send: false });
      await page.goto(link.body.data.url);
      await page.getByRole('button').first().click();
      await page.goto(`${origin}/_gatehouse/account`);
      expect(await page.locator('input[name=displayName]').inputValue()).toBe(title);
      await expectShown(page, [title, email]);
      await made(site.post(`/members/${memberId}/login-links`, { send: true }));
      const [{ id }] = (await site.get('/emails')).body.data;
      await page.setContent((await site.get(`/emails/${id}`)).body.data.html);
      await expectShown(page, [title]);
    }
    expect(harm).toEqual([]);
  });

  /** Gives the operator a name, sessions and passkeys with hostile texts. */
  async function nameEverything({ personId, browser }: TestOperator): Promise<void> {
    expect((await browser.request('PATCH', 'me', { displayName: hostileTexts[0] })).status).toBe(200);
    const tenant = await operatorTenantOf(server);
    await changing(server.database, tenant.id, async (change) => {
      for (const userAgent of hostileBrowsers.slice(0, 20)) {
        await openSession(change, personId, { userAgent, ipAddress: null }, 'link');
      }
      for (const name of hostileTexts.slice(0, 20)) {
        await insertPasskey(change, {
          id: newId(),
          memberId: personId,
          credentialId: newId(),
          publicKey: 'AA',
          counter: 0,
          transports: [],
          rpId: null,
          backedUp: false,
          userVerified: true,
          name,
          createdAt: now(),
          lastUsedAt: null,
        });
      }
    });
  }
});

/** The harm that the texts cause on a page: scripts, dialogs, and requests to other origins. */
async function watch({ page, faults }: OperatorPage): Promise<string[]> {
  const canary = await page.context().exposeFunction('canary', () => void faults.push('a script ran'));
  onTestFinished(() => canary.dispose());
  page.on('dialog', async (dialog) => {
    faults.push(`a dialog said ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!/^(http:\/\/([\w-]+\.)?localhost:\d+\/|data:|blob:)/.test(request.url())) faults.push(request.url());
  });
  return faults;
}

/** Splits the texts into batches of the size that the preview of a file shows. */
function batches(texts: readonly string[]): string[][] {
  const size = 10;
  return Array.from({ length: Math.ceil(texts.length / size) }, (_, batch) =>
    texts.slice(batch * size, (batch + 1) * size),
  );
}

const everything = `[
  document.body.textContent,
  ...Array.from(document.querySelectorAll('input, textarea'), ({ value }) => value),
].join('\\n')`;

/**
 * Waits until each of the texts was shown as text on the page, scrolling down if necessary, and again from the top: rows that
 * were not there yet when the page was scrolled past them are shown the next time.
 */
async function expectShown(page: Page, texts: readonly string[]): Promise<void> {
  const left = new Set(texts);
  let before = '';
  let unchanged = 0;
  const look = async () => {
    const content = await page.evaluate<string>(everything);
    for (const text of left) if (content.includes(text)) left.delete(text);
    unchanged = content === before ? (unchanged + 1) % 10 : 1;
    before = content;
    if (left.size > 0) await page.mouse.wheel(0, unchanged === 0 ? -100_000 : 600);
    return [...left];
  };
  await expect.poll(look, { timeout: 30_000 }).toEqual([]);
}

function now(): string {
  return new Date().toISOString();
}
