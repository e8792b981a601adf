// Opens the built documentation in a browser, as the service has it: it must have no error, load nothing from elsewhere,
// fit a phone, and find what is searched for.

import assert from 'node:assert/strict';
import Fastify from 'fastify';
import type { Page } from 'playwright-core';
import { help } from '../server/src/http/help/help.ts';
import type { Admission } from '../server/src/http/shared/credentials/admission.ts';
import { desktop, launchUsersBrowser, phone } from '../server/test/browser.ts';
import { builtFolder } from './places.ts';

/** A folder for screenshots; without it none are made. */
const pictures = process.env.GATEHOUSE_TEST_PICTURES;

const server = Fastify();
const admission = { admitAddress: async () => {}, admitUncounted() {} } as Partial<Admission> as Admission;
server.register(help, { prefix: '/help', admission, helpFolder: builtFolder });
const address = await server.listen({ port: 0, host: '127.0.0.1' });
const browser = await launchUsersBrowser();
const faults: string[] = [];
try {
  for (const [name, viewport, colorScheme] of [
    ['desktop', desktop, 'light'],
    ['phone', phone, 'dark'],
  ] as const) {
    const page = await browser.newPage({ viewport, colorScheme });
    watch(page);
    await open(page, '', `${name}-home`, 'Documentation');
    await open(page, 'guides/caddy.html', `${name}-guide`, 'Caddy');
    await open(page, 'settings.html', `${name}-settings`, 'Settings');
    await search(page, name);
    await page.close();
  }
  assert.deepEqual(faults, []);
  console.log('The documentation works in a browser, and loads nothing from other hosts.');
} finally {
  await browser.close();
  await server.close();
}

/** Collects errors, and requests to other hosts. */
function watch(page: Page): void {
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (['warning', 'error'].includes(message.type())) faults.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(address) && !request.url().startsWith('data:'))
      faults.push(`loads ${request.url()}`);
  });
}

async function open(page: Page, name: string, picture: string, heading: string): Promise<void> {
  await page.goto(`${address}/help/${name}`, { waitUntil: 'networkidle' });
  assert.match(await page.locator('h1').innerText(), new RegExp(`^${heading}`));
  const fits = await page.evaluate<boolean>('document.documentElement.scrollWidth <= window.innerWidth');
  assert.ok(fits, `${name} is wider than its window`);
  await takePicture(page, picture);
}

/** Follows a result of a search. */
async function search(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Search' }).first().click();
  await page.getByRole('searchbox').fill('restore a backup');
  const found = page.locator('.result', { hasText: 'Backup and restore' }).first();
  await found.waitFor();
  await takePicture(page, `${name}-search`);
  await found.click();
  await page.waitForURL(/\/help\/operations\/backup\.html/);
}

async function takePicture(page: Page, name: string): Promise<void> {
  if (pictures) await page.screenshot({ path: `${pictures}/docs-${name}.png` });
}
