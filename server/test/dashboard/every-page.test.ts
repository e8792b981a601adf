import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { systemCause } from '../../src/base/cause.ts';
import { syncScope } from '../../src/members/scope-sync.ts';
import type { TestAnswer, TestServer, TestSite } from '../test-server.ts';
import { Visitor } from '../visitor.ts';
import { desktop, leftOutDashboard, look, phone, startDashboard, useBrowser } from './dashboard-browser.ts';

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** A page, and something of the site that stands on it, in whatever language. */
type Shown = readonly [name: string, path: string, sign?: string | undefined];

describe.skipIf(leftOutDashboard())('every page of the dashboard', { timeout: 180_000 }, () => {
  const browser = useBrowser();
  let server: TestServer;
  let site: TestSite;
  let full: Shown[];
  let emptySite: TestSite;
  let empty: Shown[];

  beforeAll(async () => {
    server = await startDashboard();
    site = await server.createSite();
    full = await fill();
    emptySite = await server.createSite();
    empty = pagesOf((await emptySite.patch('/site', { title: 'New Club' })).body.data.slug);
  });

  describe.each([
    ['a phone', phone],
    ['a desk', desktop],
  ])('on %s', (_, viewport) => {
    test.each(['light', 'dark'] as const)('fits and can be used by everybody, in %s', async (colorScheme) => {
      const { page, faults } = await browser.open(server, site.siteId, 'owner', { viewport, colorScheme });
      watchConsole(page, faults);
      for (const [name, path, sign] of full) {
        await show(page, path, sign);
        await look(page, `page-${name}-${viewport.width}-${colorScheme}`);
      }
      expect(faults).toEqual([]);
    });

    test('fits and can be used by everybody while there is nothing to show', async () => {
      const { page, faults } = await browser.open(server, emptySite.siteId, 'owner', { viewport });
      watchConsole(page, faults);
      for (const [name, path, sign] of empty) {
        await show(page, path, sign);
        await look(page, `empty-${name}-${viewport.width}`);
      }
      expect(faults).toEqual([]);
    });
  });

  test.each(['de', 'fr', 'es', 'ja'])('fits a phone in the language %s', async (locale) => {
    const { page, faults } = await browser.open(server, site.siteId, 'owner', { viewport: phone, locale });
    watchConsole(page, faults);
    for (const [name, path, sign] of full) {
      await show(page, path, sign);
      await look(page, `page-${name}-${locale}`);
    }
    expect(faults).toEqual([]);
  });

  /** A site as it is after some months, with long names among the short ones. Gives its pages. */
  async function fill(): Promise<Shown[]> {
    const long = 'Wolfeschlegelsteinhausenbergerdorff '.repeat(4).trim();
    const { slug } = await made(
      site.patch('/site', { title: 'Rowing Club', domain: 'club.example.org' }),
      200,
    );
    const groups: string[] = [];
    for (const name of ['Board', 'Crew 2026', 'Coaches', 'W'.repeat(100)]) {
      const description =
        name === 'Coaches' ? null : `${name}: who keeps the boats afloat. ${long}`.slice(0, 300);
      groups.push((await made(site.post('/access-groups', { name, description }))).id);
    }
    const [board, crew] = groups as [string, string];
    await server.database.transaction((tx) => {
      const people = [
        { email: 'ada@example.com' },
        { email: 'mary@example.com', displayName: 'Mary Shelley' },
      ];
      const scope = { collection: 'staff', name: 'Staff of the university', people };
      return syncScope(tx, site.siteId, scope, systemCause(new Date().toISOString()));
    });
    const members = Array.from({ length: 120 }, (_, index) => ({
      email: `rower-${index}@example.com`,
      displayName: index % 7 === 0 ? null : `Rower Number ${index}`,
      paid: index % 3 === 0,
    }));
    const bulk = { members, accessGroupIds: [crew] };
    expect((await site.post('/members/bulk', bulk)).status).toBe(207);
    const lasting = { email: `${'a'.repeat(64)}@${'long-domain.'.repeat(12)}example.com`, displayName: long };
    await made(site.post('/members', { ...lasting, paid: true, accessGroupIds: groups }));

    const [ada] = (await site.get('/members?q=ada@example.com')).body.data;
    await made(site.patch(`/members/${ada.id}`, { displayName: 'Ada Lovelace', paid: true }), 200);
    await made(site.post(`/access-groups/${crew}/members`, { memberId: ada.id }));
    const expiresAt = new Date(Date.now() + 30 * 86_400_000).toISOString();
    await made(site.post(`/access-groups/${board}/members`, { memberId: ada.id, expiresAt }));
    const link = await made(site.post(`/members/${ada.id}/login-links`, { send: false }));
    const visitor = new Visitor(site);
    await visitor.post(new URL(link.url).pathname, {}, { 'user-agent': firefox });
    expect(visitor.session).toBeDefined();
    await made(site.post(`/members/${ada.id}/login-links`, { send: true }));
    const [other] = (await site.get('/members?q=rower-7@')).body.data;
    await made(site.post(`/members/${other.id}/block`, {}), 200);

    const rules = [
      { path: '/', access: 'public' },
      { path: '/members', access: 'members' },
      { path: '/members/boats/booking', access: 'paying_members' },
      { path: '/course', access: 'groups', groupIds: groups, match: 'any' },
      {
        path: `/${'long-name-of-a-folder-'.repeat(8)}x`,
        access: 'groups',
        groupIds: [board, crew],
        match: 'all',
      },
    ];
    await made(site.request('PUT', '/access-rules', { body: { rules } }), 200);
    const shop = await made(site.post('/api-keys', { name: 'Shop', expiresAt }));
    await made(site.post(`/api-keys/${shop.id}/rotate`, {}));
    const old = await made(
      site.post('/api-keys', { name: long.slice(0, 100), rateLimit: 10, permissions: ['members:read'] }),
    );
    expect((await site.delete(`/api-keys/${old.id}`)).status).toBe(204);
    for (const role of ['admin', 'support', 'viewer']) {
      const displayName = role === 'viewer' ? long : null;
      await made(site.post('/operators', { email: `${role}@example.com`, displayName, role }));
    }
    const [mail] = (await site.get(`/mails?memberId=${ada.id}`)).body.data;
    const signs = {
      // The newest events tell of the logins of the tests themselves.
      ...{ overview: '@example.com', rules: 'booking', events: '@example.com', keys: 'Shop' },
      ...{ mails: 'ada@example.com', operators: 'support@example.com' },
    };
    return [
      ...pagesOf(slug, signs),
      ['member', `/dashboard/${slug}/members/${ada.id}`],
      ['group', `/dashboard/${slug}/groups/${crew}`],
      ['mail', `/dashboard/${slug}/mails?mail=${mail.id}`, 'ada@example.com'],
      ['me', '/dashboard/me'],
    ];
  }
});

/** The pages that every site has. */
function pagesOf(slug: string, signs: Record<string, string> = {}): Shown[] {
  const names = ['members', 'add', 'groups', 'rules', 'events', 'keys', 'settings', 'mails', 'operators'];
  return [
    ['overview', `/dashboard/${slug}`, signs.overview],
    ...names.map((name): Shown => [name, `/dashboard/${slug}/${name}`, signs[name]]),
  ];
}

/** What was made, by the answer that says so. */
async function made(answer: Promise<TestAnswer>, expected = 201) {
  const { status, text, body } = await answer;
  expect(status, text).toBe(expected);
  return body.data;
}

function watchConsole(page: Page, faults: string[]): void {
  page.setDefaultTimeout(10_000);
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
}

/** Opens a page, and waits until everything is there that was on its way and nothing moves any more. */
async function show(page: Page, path: string, sign: string | undefined): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  if (sign !== undefined) await page.getByText(sign).first().waitFor({ state: 'attached' });
  const onTheWay = page.locator('[aria-busy=true], .mantine-Skeleton-root');
  await expect.poll(() => onTheWay.count(), { timeout: 10_000 }).toBe(0);
  await page.waitForLoadState('networkidle');
  await page.evaluate(`Promise.allSettled(
    document.getAnimations()
      .filter(({ effect }) => effect.getComputedTiming().iterations !== Infinity)
      .map(({ finished }) => finished),
  ).then(() => {})`);
}
