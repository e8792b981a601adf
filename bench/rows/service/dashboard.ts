import { existsSync } from 'node:fs';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { newId } from '../../../server/src/base/ids.ts';
import { createMembers } from '../../../server/src/domain/members/new-members.ts';
import { insertRole } from '../../../server/src/domain/operators/operator-store.ts';
import { openSession } from '../../../server/src/domain/sessions/sessions.ts';
import { findOperatorTenant } from '../../../server/src/domain/sites/operator-tenant.ts';
import { openDatabase } from '../../../server/src/storage/open.ts';
import { launchUsersBrowser } from '../../../server/test/browser.ts';
import { changing } from '../../../server/test/change.ts';
import { type Dataset, words } from '../../data.ts';
import { startGatehouse } from '../../process.ts';
import { type Row, round } from '../row.ts';

const members = 1_000_000;
const built = new URL('../../../dashboard/dist/index.html', import.meta.url);
const scrolledRows = 10_000;
const goals = { paintMilliseconds: 300, taskMilliseconds: 100, heapMegabytes: 150 };
/** The time between two keystrokes of a fast typist. */
const typingMilliseconds = 80;

/** The members page of a very large site in Chromium: its first rows, the search, and scrolling far down. */
export const dashboard: Row = async (bench) => {
  if (!existsSync(built)) throw new Error('The dashboard has not been built. Run npm start to build it.');
  const dataset = bench.copyOf(await bench.dataset(members));
  const server = await startGatehouse(dataset);
  const browser = await launchUsersBrowser();
  try {
    const page = await openAsOwner(browser, dataset, server.address);
    const address = `${server.address}/dashboard/bench/members`;
    const devtools = await page.context().newCDPSession(page);
    const paints: number[] = [];
    for (let load = 0; load < (bench.quick ? 2 : 10); load += 1) paints.push(await firstPaint(page, address));
    const tasks = await tasksWhileTyping(page);
    await page.goto(address);
    const before = await heapMegabytes(devtools);
    await scrollThrough(page, scrolledRows);
    const after = await heapMegabytes(devtools);
    const [slowest, maximum] = [Math.max(...paints), Math.max(0, ...tasks)];
    const reference = '1,000,000 members, 1280 by 800';
    return [
      {
        work: 'dashboard: first rows of members, from the end of the response to their paint',
        reference,
        gatehouse: `${paints.length} loads, median ${round(paints.toSorted((a, b) => a - b)[paints.length >> 1]!)} ms`,
        measured: `slowest ${round(slowest)} ms`,
        goal: `under ${goals.paintMilliseconds} ms`,
        met: slowest < goals.paintMilliseconds,
      },
      {
        work: 'dashboard: typing in the member search',
        reference,
        gatehouse: `${tasks.length} tasks over 50 ms`,
        measured: tasks.length === 0 ? 'none over 50 ms' : `longest ${round(maximum)} ms`,
        goal: `no task over ${goals.taskMilliseconds} ms`,
        met: maximum < goals.taskMilliseconds,
      },
      {
        work: `dashboard: memory after scrolling through ${scrolledRows.toLocaleString('en')} members`,
        reference,
        gatehouse: `JavaScript heap ${round(before)} MB before, ${round(after)} MB after`,
        measured: `${round(after)} MB`,
        goal: `under ${goals.heapMegabytes} MB`,
        met: after < goals.heapMegabytes,
      },
    ];
  } finally {
    await browser.close();
    await server.stop();
  }
};

/** Opens a page with an owner's session that records when the first rows are painted and which tasks take long. */
async function openAsOwner(browser: Browser, dataset: Dataset, address: string): Promise<Page> {
  const database = openDatabase(dataset.databaseUrl, {});
  const tenant = await findOperatorTenant(database);
  const token = await changing(database, tenant.id, async (change) => {
    const { db, now } = change;
    const person = { email: 'owner@example.com', displayName: 'Owner', paid: false };
    const [owner] = await createMembers(change, [person], []);
    const role = {
      id: newId(),
      personId: owner!.id,
      role: 'owner',
      invitedName: null,
      createdAt: now,
    } as const;
    await insertRole({ db, siteId: dataset.siteId }, role);
    const client = { userAgent: null, ipAddress: null };
    return (await openSession(change, owner!.id, client)).token;
  });
  await database.close();
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en' });
  await context.addCookies([{ name: 'gatehouse_operator', value: token, url: address }]);
  await context.addInitScript({ content: observers });
  return context.newPage();
}

// Runs in the page as text, so it cannot use anything from this file. A message that a frame callback posts to itself
// arrives after the paint.
const observers = `
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longTasks.push(duration);
  }).observe({ type: 'longtask', buffered: true });
  window.rowsPainted = new Promise((resolve) => {
    const look = new MutationObserver(() => {
      if (!document.querySelector('tr[data-index] a')) return;
      look.disconnect();
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now());
        port2.postMessage(null);
      });
    });
    look.observe(document, { childList: true, subtree: true });
  });
`;

async function firstPaint(page: Page, address: string): Promise<number> {
  await page.goto(address);
  return page.evaluate<number>(`rowsPainted.then((painted) => {
    const responses = performance.getEntriesByType('resource').filter(({ name }) => /\\/api\\/v1\\/members\\?/.test(name));
    return painted - responses[0].responseEnd;
  })`);
}

/** The durations of tasks over 50 ms while common and rare words are typed and deleted. */
async function tasksWhileTyping(page: Page): Promise<number[]> {
  // The network is never idle, because the stream of changes stays open.
  await page.getByRole('row').nth(1).waitFor();
  await page.waitForTimeout(1_000);
  await page.evaluate('longTasks.length = 0');
  const search = page.getByRole('searchbox');
  await search.focus();
  for (const word of Object.values(words)) {
    await search.pressSequentially(word, { delay: typingMilliseconds });
    await page.waitForURL(`**/members?q=${word}`);
    await page.locator('tr[data-index]').filter({ hasText: word }).first().waitFor();
    for (const _ of word) await page.keyboard.press('Backspace', { delay: typingMilliseconds });
  }
  return page.evaluate<number[]>('longTasks');
}

async function scrollThrough(page: Page, rows: number): Promise<void> {
  await page.mouse.move(640, 400);
  const last = () =>
    page.evaluate<number>(`Math.max(...Array.from(
      document.querySelectorAll('tr[data-index]:has(a)'), ({ dataset }) => Number(dataset.index)))`);
  while ((await last()) < rows) await page.mouse.wheel(0, 2_000);
}

/** The heap in use after a full garbage collection. */
async function heapMegabytes(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}
