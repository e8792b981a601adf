import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

/**
 * Opens the link that the first start prints, and becomes the owner. The app and all assets of its first page must exist.
 * @throws if something is missing
 */
export function becomeFirstOwner(setupUrl: string): void {
  assert.match(getPage(setupUrl), /<form/);
  const cookie = claim(setupUrl);
  const app = getPage(new URL('/dashboard/', setupUrl), { cookie, accept: 'text/html' });
  const assets = [...app.matchAll(/(?:src|href)="(\/dashboard\/assets\/[^"]+)"/g)].map(([, asset]) => asset!);
  assert.ok(
    assets.some((asset) => asset.endsWith('.js')),
    app,
  );
  for (const asset of assets) getPage(new URL(asset, setupUrl));
}

/** Sends the form of the first owner. Returns the cookies of the session. */
function claim(setupUrl: string): string {
  const form = String(new URLSearchParams({ email: 'olga@example.com', name: 'Olga', displayName: 'Olga' }));
  const head = curl('--include', '--data', form, setupUrl);
  assert.match(head, /^HTTP\/1\.1 303 /);
  return [...head.matchAll(/^set-cookie: ([^;\r]*)/gim)].map(([, cookie]) => cookie).join('; ');
}

/** With curl, because `fetch` sends headers that say that it does not request a page. */
export function getPage(url: URL | string, headers: Readonly<Record<string, string>> = {}): string {
  const options = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  return curl('--fail', ...options, String(url));
}

function curl(...args: readonly string[]): string {
  const options = ['--silent', '--show-error', ...args];
  return execFileSync('curl', options, { encoding: 'utf8', maxBuffer: 1e9 });
}
