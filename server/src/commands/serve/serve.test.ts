import { existsSync, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { commandsOn, gatehouse, temporaryFile, temporaryFolder } from '../../../test/command-line.ts';
import { startProcess } from '../../../test/faults/gatehouse-process.ts';
import { freePort, freePorts } from '../../../test/free-port.ts';
import { occupiedPort } from '../../../test/occupied-port.ts';
import { secretKey } from '../../../test/secret-key.ts';
import { forEachStore, forOneStore, stopInTheEnd } from '../../../test/stores.ts';
import { send, visit } from '../../../test/test-server.ts';
import { settingNames } from '../../app/settings/setting-definitions.ts';
import { readSettings } from '../../app/settings/settings.ts';
import { startGatehouse } from '../../app/start-gatehouse.ts';

const linesOf = (output: string) =>
  output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

forEachStore((store) => {
  test('the service starts, prints its first key once, and stops on a signal', async () => {
    const url = await store.freshUrl();
    const serve = async () => {
      let address = '';
      let status = 0;
      const { exitCode, stdout } = await commandsOn(url)(
        ['serve', '--host', '127.0.0.1', '--port', '0', '--json'],
        {
          whileRunning: (child) => {
            let output = '';
            child.stdout!.on('data', async (data) => {
              output += data;
              const found = /"address":"(http:[^"]+)"/.exec(output)?.[1];
              if (!found || address) return;
              address = found;
              status = (await send(`${address}/readyz`, 'GET')).status;
              child.kill('SIGTERM');
            });
          },
        },
      );
      return { exitCode, status, lines: linesOf(stdout) };
    };
    const first = await serve();
    expect(first).toMatchObject({ exitCode: 0, status: 200 });
    expect(first.lines.filter((line) => line.firstKey?.startsWith('gate_'))).toHaveLength(1);
    expect(first.lines.find(({ msg }) => /^Gatehouse is ready/.test(msg))?.store).toBe(store.dialect);
    // The next starts in the process of the test.
    const serveAgain = async () => {
      const { exitCode, stdout } = await commandsOn(url)(['serve', '--port', '0', '--json']);
      expect(exitCode).toBe(0);
      return linesOf(stdout);
    };
    const second = await serveAgain();
    expect(second.filter((line) => 'firstKey' in line)).toHaveLength(0);
    // Until the first operator has logged in, each start prints a new setup link. The earlier ones stay valid.
    const links = [first.lines, second].map((lines) => lines.find((line) => 'dashboard' in line)?.dashboard);
    for (const link of links) expect(link).toMatch(/^http:\/\/localhost:0\/dashboard\/setup\/[\w-]{43}$/);
    expect(links[0]).not.toBe(links[1]);
    await commandsOn(url)(['operator', 'invite', 'ada@example.com', '--role', 'owner']);
    expect((await serveAgain()).filter((line) => 'dashboard' in line)).toEqual([]);
  });
});

forEachStore((store) => {
  /** Starts a service whose output is what systemd names as its journal. */
  async function startInJournal(databaseUrl: string, settings: Record<string, string> = {}) {
    const log = path.join(temporaryFolder(), 'journal');
    const journal = openSync(log, 'a');
    const { dev, ino } = fstatSync(journal, { bigint: true });
    const cwd = temporaryFolder();
    const env = { JOURNAL_STREAM: `${dev}:${ino}`, ...settings };
    const service = await startProcess(databaseUrl, env, { cwd, log, output: journal });
    const lines = linesOf(readFileSync(log, 'utf8'));
    const file = String(lines.find(({ secretsFile }) => secretsFile)?.secretsFile);
    const read = () => {
      const text = readFileSync(file, 'utf8');
      const [key] = /gate_\S+/.exec(text) ?? [];
      const [link] = /http\S+\/dashboard\/setup\/\S+/.exec(text) ?? [];
      return { key, link: link === undefined ? '' : new URL(link).pathname };
    };
    return { ...service, log: () => readFileSync(log, 'utf8'), lines, file, read };
  }

  test('under systemd, the first key and the setup link are in a file until one of them is used', async () => {
    const url = await store.freshUrl();
    const several = store.dialect === 'postgres' ? { GATEHOUSE_WORKERS: '2' } : {};
    const first = await startInJournal(url, several);
    const { key, link } = first.read();
    expect(first.lines.filter((line) => JSON.stringify(line).includes(first.file))).toHaveLength(1);
    expect(first.log()).not.toMatch(/gate_\w{10}|dashboard\/setup/);
    expect(statSync(first.file).mode & 0o777).toBe(0o600);
    await first.kill();

    // The next start has another link, and the key that no one has read.
    const second = await startInJournal(url, several);
    const next = store.dialect === 'postgres' ? second : first;
    if (store.dialect === 'sqlite') expect(second.read().key).toBe(key);
    expect(second.read().link).not.toBe(link);
    const use = () =>
      send(`${second.address}/api/v1/site`, 'GET', { headers: { authorization: `Bearer ${key}` } });
    if (store.dialect === 'sqlite') {
      expect((await use()).status).toBe(200);
      expect(existsSync(next.file)).toBe(false);
    }
    await second.kill();

    const third = await startInJournal(url, several);
    const form = { email: 'owner@example.com', displayName: 'Olga' };
    const claimed = await visit(third.address, 'POST', third.read().link, { form });
    expect(claimed.status).toBe(303);
    expect(existsSync(third.file)).toBe(false);
    expect(third.log()).not.toMatch(/gate_\w{10}|dashboard\/setup/);
  });

  test('in a container, whose log is stored, the first key and the setup link are in a file too', async () => {
    const { read, log } = await startInJournal(await store.freshUrl(), {
      container: 'oci',
      JOURNAL_STREAM: '',
    });
    expect(read()).toEqual({ key: expect.any(String), link: expect.stringMatching(/setup/) });
    expect(log()).not.toMatch(/gate_\w{10}|dashboard\/setup/);
  });

  test('another setup link is printed on request, until there is an operator', async () => {
    const run = commandsOn(await store.freshUrl());
    expect(await run(['setup-link'])).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('no ') });
    await run(['serve', '--port', '0', '--json']);
    const links = [await run(['setup-link', '--json']), await run(['setup-link', '--json'])];
    for (const { json } of links) expect(json.setupUrl).toMatch(/^http:.*\/dashboard\/setup\/[\w-]{43}$/);
    expect(links[0]!.json.setupUrl).not.toBe(links[1]!.json.setupUrl);
    await run(['operator', 'invite', 'ada@example.com', '--role', 'owner']);
    const { exitCode, stderr } = await run(['setup-link']);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('There is an operator already')]);
  });

  test('a port in use is reported in one line, before the store changes', async () => {
    const run = commandsOn(await store.freshUrl());
    const port = await occupiedPort();
    expect(await run(['serve', '--port', String(port)])).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: `gatehouse: Port ${port} on 127.0.0.1 is in use. Stop the other program, or choose another port with --port.\n`,
    });
    expect((await run(['site', 'list', '--json'])).json.error.code).toBe('database_missing');
  });

  test('a second start on the same port leaves the setup link of the running service valid', async () => {
    const databaseUrl = await store.migratedUrl();
    const { address, output } = await startProcess(databaseUrl);
    const setupPath = /\/dashboard\/setup\/[\w-]{43}/;
    await expect.poll(output).toMatch(setupPath);
    const [link] = setupPath.exec(output())!;
    const titleOf = async () => /<h1.*?<\/h1>/s.exec((await send(address + link, 'GET')).text)?.[0];
    const before = await titleOf();
    const second = await commandsOn(databaseUrl)(['serve', '--port', new URL(address).port, '--json']);
    expect(second).toMatchObject({ exitCode: 1, json: { error: { code: 'port_in_use' } } });
    expect(before).toBeDefined();
    expect(await titleOf()).toBe(before);
  });

  test('while the store is prepared the port is taken and no request gets a response', async () => {
    const port = await freePort();
    const settings = {
      ...readSettings({}),
      databaseUrl: await store.freshUrl(),
      secretKeys: [secretKey],
      port,
    };
    const options = { logger: pino({ level: 'silent' }), onFatal: () => {} };
    const codeOf = (work: Promise<unknown>) => work.then(String, ({ code }) => code);
    const readiness = () => send(`http://127.0.0.1:${port}/readyz`, 'GET');
    let early: unknown[] = [];
    const prepare = async () => {
      early = [await codeOf(readiness()), await codeOf(startGatehouse(settings, options))];
    };
    const gatehouse = await startGatehouse(settings, { ...options, prepare });
    stopInTheEnd(gatehouse.stop);
    expect(early).toEqual(['ECONNRESET', 'EADDRINUSE']);
    expect((await readiness()).status).toBe(200);
  });
});

test('invalid settings end with exit code 2', async () => {
  const env = { GATEHOUSE_PORT: 'x' };
  expect(await gatehouse(['serve'], { env, ownProcess: true })).toMatchObject({
    exitCode: 2,
    stderr: 'gatehouse: GATEHOUSE_PORT is "x". Use a port from 0 to 65535.\n',
  });
  expect(await gatehouse(['serve'], { env: { GATEHOUSE_EMAIL_LIMIT_SIGN_UP: '-1' } })).toMatchObject({
    exitCode: 2,
    stderr:
      'gatehouse: GATEHOUSE_EMAIL_LIMIT_SIGN_UP is "-1". Use a whole number: emails to people who are not members yet in an hour, ' +
      '0 for no limit.\n',
  });
  const misspelt = await gatehouse(['serve', '--json'], { env: { GATEHOUSE_PROT: '1' } });
  expect(misspelt).toMatchObject({ exitCode: 2, json: { error: { code: 'invalid_setting' } } });
  expect(await gatehouse(['serve', '--port', '99999'])).toMatchObject({ exitCode: 2 });
});

test('one line of the log names the variables that Kubernetes sets for a service of this name', async () => {
  const env = { GATEHOUSE_SERVICE_HOST: '10.96.12.7', GATEHOUSE_SITE_PORT: 'tcp://10.96.12.8:80' };
  const { exitCode, stdout } = await gatehouse(['serve', '--port', '0', '--json'], { env });
  expect(exitCode).toBe(0);
  const named = linesOf(stdout).filter(({ msg }) => /GATEHOUSE_/.test(msg));
  expect(named).toMatchObject([{ level: 30, variables: Object.keys(env) }]);
});

test.each([
  ['token --help', "Unknown command 'token'. Use one of serve, "],
  ['help token', "Unknown command 'token'."],
  ['member nonsense --help', "Unknown command 'nonsense'. Use one of list, create, "],
  ['members make', "Unknown command 'make'. Use one of list, create, "],
  ['member lst', "Unknown command 'lst'. Did you mean list?"],
])('an unknown command, also its help, names the known ones: %s', async (args, message) => {
  const { exitCode, stdout, stderr } = await gatehouse(args.split(' '));
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
});

test('the first steps name an address at which members can log in', async () => {
  const printed = async (env: Record<string, string>) =>
    (await gatehouse(['serve', '--port', '0'], { env })).stdout;
  expect(await printed({ GATEHOUSE_PUBLIC_URL: 'http://localhost:8080' })).toContain(
    'Log in as Alan at http://localhost:8080/_gatehouse/login.',
  );
  const onServer = await printed({ GATEHOUSE_PUBLIC_URL: 'https://gate.example.org' });
  expect(onServer).not.toContain('gate.example.org/_gatehouse');
  expect(onServer).toContain('Set it: ./gatehouse site update main --domain club.example.org');
});

test('the first steps promise emails in the terminal only without a mail server', async () => {
  const mailServer = { GATEHOUSE_SMTP_URL: 'smtp://127.0.0.1:1', GATEHOUSE_MAIL_FROM: 'club@example.org' };
  const env = { GATEHOUSE_PUBLIC_URL: 'http://localhost:8080' };
  const serve = ['serve', '--sample', '--port', '0', '--site-port', '0'];
  const shown = 'Until a mail server is set, the email is shown here.';
  const without = (await gatehouse(serve, { env })).stdout;
  expect(without.split(shown)).toHaveLength(3);
  const { stdout } = await gatehouse(serve, { env: { ...env, ...mailServer } });
  expect(stdout).not.toContain(shown);
  expect(stdout).not.toContain('Log in');
  expect(stdout).toMatch(
    /Members log in at http:\/\/localhost:\d+\/_gatehouse\/login\. To try it, create one with your own/,
  );
});

test('several workers are refused on SQLite, with what to do instead', async () => {
  expect(await gatehouse(['serve', '--workers', '2'])).toMatchObject({
    exitCode: 2,
    stderr:
      'gatehouse: --workers is 2, but several workers need PostgreSQL and the database is SQLite. ' +
      'Set GATEHOUSE_DATABASE_URL to postgres://<user>@<host>/<name>, or remove the number of workers.\n',
  });
});

test.each([
  [['serve', '--upstream', 'localhost:3000'], '--upstream has an invalid value. Use the URL of a program'],
  [['serve', '--upstream', 'http://localhost:3000/app'], '--upstream has an invalid value. Use the URL'],
  [['serve', '--port', '99999'], '--port is "99999". Use a port from 0 to 65535.'],
  [['serve', '--site-port', 'tcp://10.0.0.1:80'], '--site-port has an invalid value. Use a port'],
  [['serve', '--workers', 'all'], '--workers is "all". Use a whole number'],
  [['serve', '--folder', '.', '--upstream', 'http://localhost:1'], '--folder and --upstream are both set.'],
  [['backup', 'folder', '--schedule', 'daily'], '--schedule is "daily". Use a time of the day'],
  [['backup', 'folder', '--schedule', '6h', '--keep', 'all'], '--keep is "all". Use a number of backups'],
])('an error of %j names the option', async (args, message) => {
  const env = { GATEHOUSE_SITE_UPSTREAM: 'http://127.0.0.1:9', GATEHOUSE_PORT: '9' };
  const { exitCode, stderr } = await gatehouse(args, { env });
  expect(exitCode).toBe(2);
  expect(stderr.replace('gatehouse: ', '').slice(0, message.length)).toBe(message);
});

test('a misspelt setting is named together with the similar or all settings', async () => {
  const answer = async (name: string) => (await gatehouse(['site', 'list'], { env: { [name]: '1' } })).stderr;
  expect(await answer('GATEHOUSE_PROT')).toBe(
    'gatehouse: GATEHOUSE_PROT is not a setting. Did you mean GATEHOUSE_PORT? If not, remove it.\n',
  );
  expect(await answer('GATEHOUSE_FOO')).toMatch(
    /^gatehouse: GATEHOUSE_FOO is not a setting\. Use one of GATEHOUSE_DATABASE_URL, .*\.\n$/,
  );
});

test('a message about settings never contains a password', async () => {
  const wrong: Record<string, string>[] = [
    { GATEHOUSE_SMTP_URL: 'smpt://user:hunter2@mail.example.org' },
    { GATEHOUSE_DATABASE_URL: 'postgre://user:hunter2@localhost/gatehouse' },
    { GATEHOUSE_REDIS_URL: 'user:hunter2@localhost' },
    { GATEHOUSE_PUBLIC_URL: 'https://user:hunter2@gate.example.org' },
    { GATEHOUSE_MAIL_FROM: 'smtp://user:hunter2@mail.example.org' },
    { GATEHOUSE_SMTP_PASSWORD: 'hunter2' },
    { GATEHOUSE_SECRET_KEY: 'hunter2' },
  ];
  for (const env of wrong) {
    const { exitCode, stderr } = await gatehouse(['site', 'list'], { env });
    expect([env, exitCode]).toEqual([env, 2]);
    expect(stderr).toContain(Object.keys(env)[0]);
    expect(stderr).not.toContain('hunter2');
  }
  const files = [
    '{"smtpPassword": "hunter2"}',
    '{"smtpUrl": "smpt://user:hunter2@mail.example.org"}',
    '{"smtpUrl": hunter2}',
    '{"port": 80 "password": "hunter2"}',
    '["hunter2"]',
  ];
  for (const text of files) {
    const cwd = path.dirname(temporaryFile('gatehouse.json', text));
    const { exitCode, stderr } = await gatehouse(['site', 'list'], { cwd });
    expect([text, exitCode]).toEqual([text, 2]);
    expect(stderr).toMatch(/^gatehouse: .*(gatehouse\.json|GATEHOUSE_SMTP_URL).*\n$/);
    expect(stderr).not.toContain('hunter2');
  }
});

test('an unusable database is reported in one line', async () => {
  const unreachable = await commandsOn('postgres://nobody:secret@127.0.0.1:1/none')(['serve', '--port', '0']);
  expect(unreachable).toMatchObject({ exitCode: 1 });
  expect(unreachable.stderr).toMatch(/^gatehouse: The database is unavailable: .*\n$/);
  expect(unreachable.stderr).not.toContain('secret');

  const junk = temporaryFile('junk.db', 'This is not a database, despite its name.'.repeat(50));
  const damaged = await commandsOn(`sqlite:${junk}`)(['serve', '--port', '0', '--json']);
  expect(damaged).toMatchObject({ exitCode: 1, json: { error: { code: 'database_damaged' } } });
});

/** Starts a service at a port, with its site at the next; returns the lines of its output, and what the site shows. */
const startServe = async (
  databaseUrl: string,
  args: string[],
  { env = {}, port }: { env?: Record<string, string>; port?: number } = {},
) => {
  const first = port ?? (await freePorts(2));
  const found: Record<string, string> = {};
  const get = (path: string) =>
    send(`http://127.0.0.1:${first + 1}${path}`, 'GET', { headers: { accept: 'text/html' } });
  const { exitCode, stdout } = await commandsOn(databaseUrl)(
    ['serve', '--port', String(first), '--site-port', String(first + 1), '--json', ...args],
    {
      env,
      onceStarted: async () => {
        const page = await get('/').catch(() => undefined);
        if (page === undefined) return;
        found.page = page.text;
        found.denied = String((await get('/course/')).status);
      },
    },
  );
  expect(exitCode).toBe(0);
  return Object.assign({}, ...linesOf(stdout), found, { log: stdout }) as Record<string, string>;
};

forEachStore((store) => {
  test('the first start with the sample creates its site, which later starts serve unchanged', async () => {
    const databaseUrl = await store.freshUrl();
    const port = await freePorts(2);
    const first = await startServe(databaseUrl, ['--sample'], { port });
    expect(first).toMatchObject({ isSample: true, page: expect.stringContaining('Welcome'), denied: '302' });
    const run = commandsOn(databaseUrl);
    expect((await run(['site', 'list', '--json'])).json).toMatchObject([
      { slug: 'main', title: 'Sample site' },
    ]);
    const again = await startServe(databaseUrl, ['--sample'], { port });
    expect(again.page).toContain('Welcome');
    expect(again).not.toHaveProperty('firstKey');
    expect((await run(['site', 'list', '--json'])).json).toHaveLength(1);
  });
});

// Which pages are served is decided from the list of sites, and not by the store.
forOneStore((store) => {
  test('the sample is not served for another site, and changes none', async () => {
    const databaseUrl = await store.migratedUrl();
    const run = commandsOn(databaseUrl);
    await run(['site', 'create', '--slug', 'club', '--domain', 'club.example.org']);
    const before = (await run(['site', 'list', '--json'])).json;
    const started = await startServe(databaseUrl, ['--sample']);
    expect(started).not.toHaveProperty('siteAddress');
    expect(started).not.toHaveProperty('page');
    expect((await run(['site', 'list', '--json'])).json).toEqual(before);
  });

  test('the members of the sample are not created in an installation on the internet', async () => {
    const databaseUrl = await store.freshUrl();
    const env = { GATEHOUSE_PUBLIC_URL: 'https://gate.example.org' };
    const started = await startServe(databaseUrl, ['--sample'], { env });
    expect(started).toMatchObject({ isSample: false, firstKey: expect.any(String) });
    expect((await commandsOn(databaseUrl)(['site', 'list', '--json'])).json).toMatchObject([
      { title: 'My site' },
    ]);
  });

  test('the site to serve is the only one, or the named one', async () => {
    const databaseUrl = await store.migratedUrl();
    const run = commandsOn(databaseUrl);
    const folder = path.dirname(temporaryFile('index.html', 'Our own page'));
    for (const slug of ['club', 'school']) await run(['site', 'create', '--slug', slug]);
    const serve = ['serve', '--port', '0', '--site-port', '0', '--folder', folder, '--json'];
    expect((await run(serve)).json.error).toMatchObject({ code: 'site_not_named' });
    expect((await run([...serve, '--site', 'x'])).json.error).toMatchObject({ code: 'site_not_found' });
    const started = await startServe(databaseUrl, ['--folder', folder, '--site', 'school']);
    expect(started).toMatchObject({
      denied: '302',
      log: expect.stringMatching(/http:\S+\. A proxy can serve it at its domain/),
    });
  });

  test('behind a proxy on this machine, the log does not offer the address of the proxy to people', async () => {
    const databaseUrl = await store.migratedUrl();
    const run = commandsOn(databaseUrl);
    await run(['site', 'create', '--slug', 'club', '--domain', 'club.example.org']);
    const folder = path.dirname(temporaryFile('index.html', 'Our own page'));
    const env = { GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1' };
    const started = await startServe(databaseUrl, ['--folder', folder], { env });
    expect(started).toMatchObject({
      denied: '421',
      log: expect.stringContaining('The site is at its domain.'),
    });
  });
});

test('a folder that is missing, or contains data of Gatehouse, is not served', async () => {
  const run = commandsOn(`sqlite:${temporaryFile('gatehouse.db', '')}`);
  const missing = await run(['serve', '--folder', './nowhere', '--json']);
  expect(missing.json.error.code).toBe('folder_missing');
  const folder = temporaryFolder();
  const above = await commandsOn(`sqlite:${path.join(folder, 'data', 'gatehouse.db')}`)([
    'serve',
    '--folder',
    folder,
    '--json',
  ]);
  expect(above.json.error.code).toBe('folder_with_data');
  const both = await run(['serve', '--folder', folder, '--upstream', 'http://127.0.0.1:3000', '--json']);
  expect(both.json.error.code).toBe('invalid_setting');
  const withPath = await run(['serve', '--upstream', 'http://127.0.0.1:3000/app', '--json']);
  expect(withPath.json.error.code).toBe('invalid_setting');
});

test('the help of serve names each setting', async () => {
  const { stdout } = await gatehouse(['serve', '--help']);
  for (const name of settingNames) expect(stdout).toContain(`  ${name} (`);
});
