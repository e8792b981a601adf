// Follows the README and the first steps as a user does, from top to bottom in a fresh clone: `npm start`, then the printed
// line, then each block unchanged. Only the port differs, the key is the printed one, and a folder of pages is there.
// Afterwards it logs in like a browser, imports 10,000 members from a file, and stops the service.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClone } from './release/clone.ts';
import { freePort, openTerminal, startInTerminal, userEnvironment } from './user-terminal.ts';

const startTimeoutSeconds = 600;
const members = Array.from({ length: 10_000 }, (_, i) => ({
  email: `person-${i}@example.org`,
  name: `Person ${i}`,
}));

const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-readme-'));
const clone = path.join(folder, 'gatehouse');
const port = await freePort();
const sitePort = await freePort();
const baseUrl = `http://localhost:${port}`;
const siteUrl = `http://localhost:${sitePort}`;
const environment = userEnvironment({ GATEHOUSE_PORT: String(port), GATEHOUSE_SITE_PORT: String(sitePort) });

createClone(path.resolve(import.meta.dirname, '..'), clone);
const [start, ...blocks] = [...blocksOf('README.md'), ...blocksOf('docs/guides/first-steps.md')];
assert.deepEqual(start, { language: 'sh', file: '', code: 'npm start\n' });
let service = startInTerminal(start.code.trim(), clone, environment);
const terminal = openTerminal(clone, environment);
process.once('SIGTERM', () => void service.kill().then(() => process.exit(1)));
try {
  const curlLine = await service.printed(/^\s*(curl .*)$/m, startTimeoutSeconds);
  const key = /Bearer (gate_\w+)/.exec(curlLine)?.[1] ?? '';
  assert.match(service.output(), /Installing packages …\n( {2}\d+ of \d+\n)+Installing packages: finished/);
  assert.match(service.output(), /Building the dashboard: finished/);
  assert.equal(JSON.parse(await terminal.paste(curlLine)).data.email, 'alan@example.com');
  console.log(`started, and the printed line created alan@example.com`);
  const cookie = await logIn('ada@example.com');
  assert.match(await pageAt('/'), /<h1>Welcome<\/h1>/);
  assert.match(await pageAt('/course/', cookie), /You are in the group Course/);
  assert.equal(await pageAt('/course/', await logIn('alan@example.com')), '403');
  console.log('the sample site shows its pages to those who have access');

  for (const { language, file, code } of blocks) {
    const text = code.replaceAll('8080', String(port)).replace('gate_…', key);
    if (language === 'ts') writeFileSync(path.join(clone, file), text);
    else if (text.includes('./gatehouse serve')) await serveOwnPages(text);
    else check(code, await terminal.paste(text));
  }
  console.log(`${blocks.length} blocks of the README and the first steps ran unchanged`);
  await logIn('ada@example.com');
  await terminal.paste('./gatehouse site update main --no-domain');
  await logIn('hedy@example.com');
  console.log('members log in at localhost with a domain and without one');

  await importMembers();
  const found = await allAddresses(key);
  const named = ['ada', 'grace', 'alan', 'hedy', 'joan'].map((name) => `${name}@example.com`);
  assert.deepEqual(new Set(found), new Set([...named, ...members.map(({ email }) => email)]));
  assert.equal(found.length, members.length + named.length, 'number of members');
  console.log(`${members.length} members imported and read back`);

  await service.stop();
  await assert.rejects(fetch(baseUrl), 'something still listens');
  console.log('stopped');
} catch (error) {
  console.error(service.output());
  throw error;
} finally {
  terminal.close();
  await service.kill();
  rmSync(folder, { recursive: true, force: true });
}

/** All blocks that can be pasted, in order. */
function blocksOf(document: string) {
  const text = readFileSync(path.join(clone, document), 'utf8');
  assert.doesNotMatch(text, /^ {4}\S/m, 'a block without a language would not run');
  const found = [...text.matchAll(/^```(.*)\n((?:.*\n)*?)^```$/gm)];
  return found.map(([, heading = '', code = '']) => {
    const [language, file = ''] = heading.split(' ');
    assert.ok(language === 'sh' || (language === 'ts' && file !== ''), `a block of ${heading}`);
    return { language, file, code };
  });
}

/** The expected output of each block. Add new blocks here. */
function check(code: string, output: string) {
  const expectations: [start: string, expected: RegExp][] = [
    ['export GATEHOUSE_KEY', /^$/],
    ['printf', /\b1 (new|created|added)[\s\S]*hedy@example\.com/i],
    ['node_modules/.bin/node course.ts', /^joan@example\.com\n$/],
    ['curl', /"email":"ada@example\.com"/],
    ['./gatehouse site update', /club\.example\.org[\s\S]*"rules":\[\{"path":"\/"/],
  ];
  const [, expected] = expectations.find(([start]) => code.startsWith(start)) ?? [];
  assert.ok(expected, `there is no expectation for the block ${code}`);
  assert.match(output, expected);
}

/** Makes a folder of pages, and starts the service with it. */
async function serveOwnPages(line: string) {
  const pages = path.join(clone, 'pages');
  mkdirSync(path.join(pages, 'members'), { recursive: true });
  writeFileSync(path.join(pages, 'index.html'), '<h1>Rowing Club</h1><a href="/members/">For members</a>');
  writeFileSync(path.join(pages, 'members/index.html'), '<h1>For members</h1>');
  await service.stop();
  service = startInTerminal(line.trim(), clone, environment);
  await service.printed(/(The site is at)/, startTimeoutSeconds);
  assert.match(await pageAt('/'), /<h1>Rowing Club<\/h1>/);
  assert.equal(await pageAt('/members/'), '401');
  assert.match(await pageAt('/members/', await logIn('ada@example.com')), /<h1>For members<\/h1>/);
  console.log('the own pages are served, and those for members only to members');
}

/** The text of a page, or the status if it is not shown. */
async function pageAt(target: string, cookie = ''): Promise<string> {
  const response = await fetch(siteUrl + target, { headers: { cookie }, redirect: 'manual' });
  return response.ok ? response.text() : String(response.status);
}

/** Logs in like a browser: with the form, and the link in the email that the terminal shows. Returns the cookie. */
async function logIn(email: string): Promise<string> {
  const address = `${siteUrl}/_gatehouse/login`;
  const linkForm = new RegExp(`${siteUrl}/_gatehouse/link/[\\w-]{43}`, 'g');
  const linksBefore = new Set(service.output().match(linkForm));
  assert.equal((await fetch(address)).status, 200);
  const requested = await fetch(address, {
    method: 'POST',
    body: new URLSearchParams({ email }),
    redirect: 'manual',
  });
  assert.equal(requested.status, 303);
  const link = await waitFor(() =>
    service
      .output()
      .match(linkForm)
      ?.find((each) => !linksBefore.has(each)),
  );
  const pressed = await fetch(link, { method: 'POST', redirect: 'manual' });
  assert.equal(pressed.headers.get('location'), `${siteUrl}/`);
  const cookie = pressed.headers.getSetCookie()[0]!.split(';')[0]!;
  const account = await fetch(`${siteUrl}/_gatehouse/account`, { headers: { cookie } });
  assert.match(await account.text(), new RegExp(email));
  return cookie;
}

async function waitFor<Value>(look: () => Value | undefined): Promise<Value> {
  for (let triesLeft = 300; triesLeft > 0; triesLeft--) {
    const value = look();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the email has not arrived');
}

/** From another folder, which relative paths refer to, and through a symbolic link. */
async function importMembers() {
  const rows = members.map(({ email, name }) => `${email},${name}`);
  writeFileSync(path.join(folder, 'people.csv'), ['email,displayName', ...rows, ''].join('\n'));
  symlinkSync(path.join(clone, 'gatehouse'), path.join(folder, 'link'));
  const output = await terminal.paste(`cd .. && ./link members import people.csv --json`);
  assert.ok(JSON.parse(output), output);
}

type Page = { data: { email: string }[]; pagination: { hasMore: boolean; nextCursor: string | null } };

async function allAddresses(key: string): Promise<string[]> {
  const addresses: string[] = [];
  for (let after = ''; ; ) {
    const response = await fetch(`${baseUrl}/api/v1/members?limit=100${after}`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    assert.equal(response.status, 200);
    const { data, pagination } = (await response.json()) as Page;
    addresses.push(...data.map((member) => member.email));
    if (!pagination.hasMore) return addresses;
    after = `&after=${pagination.nextCursor}`;
  }
}
