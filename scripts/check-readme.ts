// The README as a user follows it, from top to bottom in a fresh clone: `npm start`, the printed line pasted, and then each
// block as it stands. Only the port is another one, and the key is the one that was printed. After it a login in the
// browser's place, 10,000 people from a file, and an orderly stop.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort, openTerminal, startInTerminal, userEnvironment } from './user-terminal.ts';

const startTimeoutSeconds = 600;
const people = Array.from({ length: 10_000 }, (_, i) => ({
  email: `person-${i}@example.org`,
  name: `Person ${i}`,
}));

const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-readme-'));
const clone = path.join(folder, 'gatehouse');
const port = await freePort();
const baseUrl = `http://localhost:${port}`;
const environment = userEnvironment({ GATEHOUSE_PORT: String(port) });

makeClone();
const [start, ...blocks] = readBlocks();
assert.deepEqual(start, { language: 'sh', file: '', code: 'npm start\n' });
const service = startInTerminal(start.code.trim(), clone, environment);
const terminal = openTerminal(clone, environment);
process.once('SIGTERM', () => void service.kill().then(() => process.exit(1)));
try {
  const curlLine = await service.printed(/^\s*(curl .*)$/m, startTimeoutSeconds);
  const key = /Bearer (gate_\w+)/.exec(curlLine)?.[1] ?? '';
  assert.match(service.output(), /Installing packages …\n( {2}\d+ of \d+\n)+Installing packages: finished/);
  assert.match(service.output(), /Building the pages: finished/);
  assert.equal(JSON.parse(await terminal.paste(curlLine)).data.email, 'ada@example.com');
  console.log(`started, and the printed line made ada@example.com`);
  await logIn('ada@example.com');

  for (const { language, file, code } of blocks) {
    const text = code.replaceAll('8080', String(port)).replace('gate_…', key);
    if (language === 'ts') writeFileSync(path.join(clone, file), text);
    else check(code, await terminal.paste(text));
  }
  console.log(`${blocks.length} blocks of the README ran as they stand`);
  await logIn('ada@example.com');
  await terminal.paste('./gatehouse site update main --no-domain');
  await logIn('grace@example.com');
  console.log('members log in at localhost beside a domain, and without one');

  await importPeople();
  const found = await allAddresses(key);
  const named = ['ada@example.com', 'grace@example.com', 'alan@example.com'];
  assert.deepEqual(new Set(found), new Set([...named, ...people.map(({ email }) => email)]));
  assert.equal(found.length, people.length + named.length, 'number of members');
  console.log(`${people.length} people imported and read back`);

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

/** A clone of what is committed, with the changes of the working copy. */
function makeClone() {
  const root = path.resolve(import.meta.dirname, '..');
  // git refuses a repository that another user owns.
  const trust = path.join(folder, 'gitconfig');
  writeFileSync(trust, '[safe]\n\tdirectory = *\n');
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: root,
      env: { ...process.env, GIT_CONFIG_GLOBAL: trust },
      encoding: 'utf8',
      maxBuffer: 1e9,
    });
  git('clone', '--quiet', '--no-hardlinks', root, clone);
  const list = (...options: string[]) =>
    git('ls-files', '-z', ...options)
      .split('\0')
      .filter((file) => file !== '');
  for (const file of list('--modified', '--others', '--exclude-standard')) {
    rmSync(path.join(clone, file), { force: true });
    if (existsSync(path.join(root, file))) cpSync(path.join(root, file), path.join(clone, file));
  }
}

/** Everything that can be pasted, in its order. */
function readBlocks() {
  const readme = readFileSync(path.join(clone, 'README.md'), 'utf8');
  assert.doesNotMatch(readme, /^ {4}\S/m, 'a block without a language would not be run');
  const found = [...readme.matchAll(/^```(.*)\n((?:.*\n)*?)^```$/gm)];
  return found.map(([, heading = '', code = '']) => {
    const [language, file = ''] = heading.split(' ');
    assert.ok(language === 'sh' || (language === 'ts' && file !== ''), `a block of ${heading}`);
    return { language, file, code };
  });
}

/** What each block is there for; a new one has to be added here. */
function check(code: string, output: string) {
  const expectations: [start: string, expected: RegExp][] = [
    ['export GATEHOUSE_KEY', /^$/],
    ['printf', /\b1 (new|created|added)[\s\S]*grace@example\.com/i],
    ['node_modules/.bin/node course.ts', /^alan@example\.com\n$/],
    ['curl', /"email":"ada@example\.com"/],
    ['./gatehouse site update', /club\.example\.org[\s\S]*"rules":\[\{"path":"\/"/],
  ];
  const [, expected] = expectations.find(([start]) => code.startsWith(start)) ?? [];
  assert.ok(expected, `nothing is known of the block ${code}`);
  assert.match(output, expected);
}

/** As a browser does: the form, and the link in the email that the terminal shows. */
async function logIn(email: string) {
  const address = `${baseUrl}/_gatehouse/login`;
  const linkForm = new RegExp(`${baseUrl}/_gatehouse/link/[\\w-]{43}`, 'g');
  const linksBefore = new Set(service.output().match(linkForm));
  assert.equal((await fetch(address)).status, 200);
  const asked = await fetch(address, {
    method: 'POST',
    body: new URLSearchParams({ email }),
    redirect: 'manual',
  });
  assert.equal(asked.status, 303);
  const link = await untilThere(() =>
    service
      .output()
      .match(linkForm)
      ?.find((each) => !linksBefore.has(each)),
  );
  const pressed = await fetch(link, { method: 'POST', redirect: 'manual' });
  assert.equal(pressed.headers.get('location'), `${baseUrl}/`);
  const cookie = pressed.headers.getSetCookie()[0]!.split(';')[0]!;
  const account = await fetch(`${baseUrl}/_gatehouse/account`, { headers: { cookie } });
  assert.match(await account.text(), new RegExp(email));
}

async function untilThere<Value>(look: () => Value | undefined): Promise<Value> {
  for (let triesLeft = 300; triesLeft > 0; triesLeft--) {
    const value = look();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the email has not come');
}

/** From another folder, to which the file belongs, and through a link. */
async function importPeople() {
  const rows = people.map(({ email, name }) => `${email},${name}`);
  writeFileSync(path.join(folder, 'people.csv'), ['email,displayName', ...rows, ''].join('\n'));
  symlinkSync(path.join(clone, 'gatehouse'), path.join(folder, 'link'));
  const output = await terminal.paste(`cd .. && ./link member import people.csv --json`);
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
