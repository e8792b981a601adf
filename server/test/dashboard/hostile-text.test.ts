import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import { openSession } from '../../src/credentials/sessions.ts';
import { insertPasskey } from '../../src/operators/passkey-store.ts';
import { anOperator, realmOfOperators, type TestOperator } from '../operator.ts';
import type { TestServer, TestSite } from '../test-server.ts';
import { leftOutDashboard, type OperatorPage, startDashboard, useBrowser } from './dashboard-browser.ts';
import { hostileAddresses, hostileBrowsers, hostilePaths, hostileTexts } from './hostile-texts.ts';

/** Every page is opened as it is served, and once more without its policy: there whatever gets in would run. */
const policies = [
  ['under its policy', false],
  ['without a policy', true],
] as const;

describe.skipIf(leftOutDashboard())('hostile texts', { timeout: 240_000 }, () => {
  const browser = useBrowser();
  let server: TestServer;
  let site: TestSite;
  let slug: string;
  /** A site for each text, with the text as its title and as the name of its owner. */
  let titled: { site: TestSite; slug: string; origin: string; title: string; owner: TestOperator }[];
  let memberIds: string[];
  let groupIds: string[];

  beforeAll(async () => {
    server = await startDashboard();
    site = await server.createSite();
    slug = (await site.patch('/site', { title: 'Rowing Club' })).body.data.slug;
    await fill();
    titled = [];
    for (const title of hostileTexts) titled.push(await aTitledSite(title));
  }, 120_000);

  /** One site with every text in every field of a list. */
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
    for (const userAgent of hostileBrowsers.slice(0, 20)) {
      await server.database.transaction((tx) =>
        openSession(tx, site.siteId, memberIds[0]!, { userAgent, clientAddress: null }, now()),
      );
    }
    const rules = hostilePaths.map((path) => ({ path, access: 'groups', groupIds: groupIds.slice(0, 20) }));
    const saved = await site.request('PUT', '/access-rules', { body: { rules } });
    expect(saved.status, saved.text).toBe(200);
  }

  async function aTitledSite(title: string) {
    const titledSite = await server.createSite();
    const { slug } = (await titledSite.get('/site')).body.data;
    const domain = `${slug}.localhost:${new URL(server.address).port}`;
    const changed = await titledSite.patch('/site', { title, domain });
    expect(changed.status, changed.text).toBe(200);
    const owner = await anOperator(server, titledSite.siteId);
    expect((await owner.browser.ask('PATCH', 'me', { displayName: title })).status).toBe(200);
    return { site: titledSite, slug, origin: `http://${domain}`, title, owner };
  }

  /** Makes something by the API. Gives its id. */
  async function made(answer: ReturnType<TestSite['post']>): Promise<string> {
    const { status, text, body } = await answer;
    expect(status, text).toBe(201);
    return body.data.id;
  }

  /** A page that tells whatever a text could do on it. */
  async function open(bypassCSP: boolean): Promise<OperatorPage & { harm: string[] }> {
    const opened = await browser.open(server, site.siteId, 'owner', { bypassCSP });
    return { ...opened, harm: await watch(opened) };
  }

  const go = (page: Page, path: string) => page.goto(`/dashboard/${slug}${path}`);

  test('are at least fifty, and would do harm where they were let in', async () => {
    expect(new Set(hostileTexts).size).toBe(hostileTexts.length);
    expect(hostileTexts.length).toBeGreaterThanOrEqual(50);
    expect(hostileTexts.filter((text) => text.length > 100 || text !== text.trim())).toEqual([]);
    const { page, harm } = await open(true);
    await page.goto('/dashboard/me');
    for (const text of ['<img src=x onerror=canary()>', '<img src=x onerror=alert(1)>']) {
      await page.evaluate(`document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(text)})`);
      await expect.poll(() => harm.splice(0).length).toBe(1);
    }
  });

  describe.each(policies)('%s', (_, bypassCSP) => {
    test('stay texts on the pages that list them', async () => {
      const { page, harm, operator } = await open(bypassCSP);
      await nameEverything(operator);
      for (const [path, ...lists] of [
        ['/members', hostileTexts, hostileAddresses],
        ['/groups', hostileTexts],
        ['/rules', hostilePaths.map((path) => path.slice(1))],
        ['/keys', hostileTexts],
        ['/operators', hostileTexts],
        ['/events', hostileTexts, hostileAddresses],
      ] as const) {
        await go(page, path);
        await expectShown(page, lists.flat());
      }
      await page.goto('/dashboard/me');
      await expectShown(page, [hostileTexts[0]!, ...hostileTexts.slice(0, 20)]);
      expect(harm).toEqual([]);
    });

    test('stay texts on the page of a group', async () => {
      const { page, harm } = await open(bypassCSP);
      await go(page, '/groups');
      for (const [index, text] of hostileTexts.entries()) {
        await turnTo(page, `/dashboard/${slug}/groups/${groupIds[index]}`);
        await page.getByRole('heading', { level: 1, name: text, exact: true }).waitFor();
        await expectShown(page, [text, hostileTexts[0]!]);
      }
      expect(harm).toEqual([]);
    });

    test('stay texts on the page of a member', async () => {
      const { page, harm } = await open(bypassCSP);
      await go(page, '/members');
      for (const [index, name] of [...hostileTexts, ...hostileAddresses].entries()) {
        await turnTo(page, `/dashboard/${slug}/members/${memberIds[index]}`);
        await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
        await expectShown(page, index === 0 ? hostileTexts : [name]);
      }
      expect(harm).toEqual([]);
    });

    test('stay texts in what is pasted, and in the cells of a file', async () => {
      const { page, harm } = await open(bypassCSP);
      await go(page, '/add');
      await page.getByRole('tab', { name: 'Paste addresses' }).click();
      const pasted = hostileTexts.map((text, index) => `${text} <paste-${index}@example.com>`);
      await page.getByRole('textbox', { name: 'Addresses' }).fill(pasted.join('\n'));
      await page.getByRole('tab', { name: 'CSV file' }).click();
      const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
      for (const texts of lots(hostileTexts)) {
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

    test('stay texts in dialogs, in the search and in what is offered', async () => {
      const { page, harm } = await open(bypassCSP);
      const name = '"><img src=x onerror=canary()>';
      await go(page, '/keys');
      const key = page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) });
      await key.getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('dialog', { name: `Revoke ${name}?` }).waitFor();
      await go(page, '/operators');
      await page.getByRole('button', { name: `Remove ${name}` }).click();
      await page.getByRole('dialog', { name: `Remove ${name}` }).waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Search or go to…' }).locator('input:focus').fill(name);
      await page.getByRole('dialog').getByRole('button', { name }).first().waitFor();
      await go(page, '/rules');
      await page.getByPlaceholder('A stranger').fill(name);
      await page.getByRole('option', { name }).first().waitFor();
      for (const text of hostileTexts) {
        await page.getByRole('textbox', { name: 'Path' }).fill(`/${text}`);
        await page.getByRole('textbox', { name: 'Path' }).press('Enter');
      }
      expect(harm).toEqual([]);
    });

    test('stay texts as the title of a site', async () => {
      const { page, harm, operator } = await open(bypassCSP);
      for (const each of titled)
        await made(each.site.post('/operators', { email: operator.email, role: 'owner' }));
      await go(page, '');
      await page.getByRole('button', { name: 'Rowing Club' }).click();
      await expectShown(page, hostileTexts);
      for (const { slug, title } of titled) {
        await turnTo(page, `/dashboard/${slug}`);
        await page.getByRole('main').getByText(title, { exact: true }).first().waitFor();
        await turnTo(page, `/dashboard/${slug}/settings`);
        const preview = page.frameLocator('iframe[title="Login page"]');
        await preview.getByText(title).first().waitFor({ state: 'attached' });
        expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe(title);
      }
      expect(harm).toEqual([]);
    });

    test('stay texts on the pages that visitors see', async () => {
      const { page, harm } = await open(bypassCSP);
      for (const [index, { site, origin, title }] of titled.entries()) {
        const asked = new URLSearchParams({ next: `/${title}`, email: title });
        await page.goto(`${origin}/_gatehouse/login?${asked}`);
        await expectShown(page, [title]);
        await page.goto(`/dashboard/login?${asked}`);
        const email = `${newId()}@example.com`;
        const memberId = await made(site.post('/members', { email, displayName: title }));
        const userAgent = hostileBrowsers[index % hostileBrowsers.length]!;
        await server.database.transaction((tx) =>
          openSession(tx, site.siteId, memberId, { userAgent, clientAddress: null }, now()),
        );
        const link = await site.post(`/members/${memberId}/login-links`, { send: false });
        await page.goto(link.body.data.url);
        await page.getByRole('button').first().click();
        await page.goto(`${origin}/_gatehouse/account`);
        expect(await page.getByRole('textbox').inputValue()).toBe(title);
        await expectShown(page, [title, email]);
      }
      expect(harm).toEqual([]);
    });

    test('stay texts in mails, and where mails are shown', async () => {
      const { page, harm } = await open(bypassCSP);
      for (const { site, title, owner } of titled) {
        const invited = { email: `${newId()}@example.com`, role: 'viewer' };
        await made(owner.browser.api(site.siteId, 'POST', '/operators', invited));
        const [email] = [hostileAddresses[titled.length % hostileAddresses.length]];
        const memberId = (await site.post('/members', { email, displayName: title })).body.data?.id;
        if (memberId) await made(site.post(`/members/${memberId}/login-links`, { send: true }));
        for (const { id } of (await site.get('/mails')).body.data) {
          const mail = (await site.get(`/mails/${id}`)).body.data;
          if (mail.html === null) continue;
          await page.setContent(mail.html);
          await expectShown(page, [title]);
        }
      }
      expect(harm).toEqual([]);
    });
  });

  /** Gives the operator a name, sessions and passkeys that are called as the texts are. */
  async function nameEverything({ id, browser }: TestOperator): Promise<void> {
    expect((await browser.ask('PATCH', 'me', { displayName: hostileTexts[0] })).status).toBe(200);
    const realm = await realmOfOperators(server);
    await server.database.transaction(async (tx) => {
      for (const userAgent of hostileBrowsers.slice(0, 20)) {
        await openSession(tx, realm.id, id, { userAgent, clientAddress: null }, now());
      }
      for (const name of hostileTexts.slice(0, 20)) {
        await insertPasskey(tx, realm.id, {
          ...{ id: newId(), member_id: id, credential_id: newId(), public_key: 'AA', counter: 0 },
          ...{ transports: '[]', name, created_at: now(), last_used_at: null },
        });
      }
    });
  }
});

/** What the texts did on a page: scripts that ran, dialogs, requests to elsewhere, and what the policy had to refuse. */
async function watch({ page, faults }: OperatorPage): Promise<string[]> {
  await page.context().exposeFunction('canary', () => void faults.push('a script ran'));
  page.on('dialog', async (dialog) => {
    faults.push(`a dialog said ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!/^(http:\/\/([\w-]+\.)?localhost:\d+\/|data:|blob:)/.test(request.url())) faults.push(request.url());
  });
  return faults;
}

/** As many at a time as the beginning of a file is shown of. */
function lots(texts: readonly string[]): string[][] {
  const size = 10;
  return Array.from({ length: Math.ceil(texts.length / size) }, (_, lot) =>
    texts.slice(lot * size, (lot + 1) * size),
  );
}

/** Goes to another page of the dashboard without loading all of it again. */
async function turnTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`);
  await page.waitForURL(`**${path}`);
}

const everything = `[
  document.body.textContent,
  ...Array.from(document.querySelectorAll('input, textarea'), ({ value }) => value),
].join('\\n')`;

/** Waits until each of the texts was on the page as a text, further down perhaps. */
async function expectShown(page: Page, texts: readonly string[]): Promise<void> {
  const left = new Set(texts);
  const look = async () => {
    const content = await page.evaluate<string>(everything);
    for (const text of left) if (content.includes(text)) left.delete(text);
    if (left.size > 0) await page.mouse.wheel(0, 600);
    return [...left];
  };
  await expect.poll(look, { timeout: 30_000 }).toEqual([]);
}

function now(): string {
  return new Date().toISOString();
}
