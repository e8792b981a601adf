import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { forOneStore } from '../../../test/stores.ts';
import { send, startTestServer } from '../../../test/test-server.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-help-'));
const helpFolder = path.join(folder, 'site');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files: Readonly<Record<string, string>> = {
  'site/index.html': '<h1>Documentation</h1>',
  'site/guides/index.html': '<h1>Guides</h1>',
  'site/guides/install.html': '<h1>Install</h1>',
  'site/files/LICENSE': 'MIT',
  'site/assets/app.js': 'app()',
  'site/assets/chunks/@index.js': 'index()',
  'site/.hidden': 'hidden',
  'secret.html': 'secret',
};
for (const [name, text] of Object.entries(files)) {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

forOneStore((store) => {
  test('the documentation is public, and loads only from this server', async () => {
    const { address } = await startTestServer(store, { helpFolder });
    for (const [page, text] of [
      ['/help/', 'Documentation'],
      ['/help/guides/', 'Guides'],
      ['/help/guides/install.html', 'Install'],
    ]) {
      const answer = await send(address + page, 'GET');
      expect([answer.status, answer.text], page).toEqual([200, `<h1>${text}</h1>`]);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self';/);
    }
    const script = await send(`${address}/help/assets/chunks/@index.js`, 'GET');
    expect([script.status, script.text]).toEqual([200, 'index()']);
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(script.headers.get('cache-control')).toContain('immutable');
    const license = await send(`${address}/help/files/LICENSE`, 'GET');
    expect(license.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const front = await fetch(`${address}/help`, { redirect: 'manual' });
    expect([front.status, front.headers.get('location')]).toEqual([302, '/help/']);
  });

  test('no path leads out of its folder', async () => {
    const { address } = await startTestServer(store, { helpFolder });
    const outside = [
      '..%2fsecret.html',
      '%2e%2e/secret.html',
      'guides/..%2f..%2fsecret.html',
      '.hidden',
      '%2fetc/passwd',
    ];
    for (const name of [
      ...outside,
      'guides',
      'assets/..%2f..%2fsecret.html',
      'assets/nothing.js',
      '%00',
      'nothing.html',
    ]) {
      const { status, text } = await send(`${address}/help/${name}`, 'GET');
      expect([status, /secret|hidden/.test(text)], name).toEqual([404, false]);
    }
  });

  test('where it is not built, a text says how to read it', async () => {
    const { address } = await startTestServer(store, { helpFolder: path.join(folder, 'nothing') });
    const { status, text } = await send(`${address}/help/guides/install.html`, 'GET');
    expect(status).toBe(404);
    expect(text).toContain('npm run docs');
  });
});
