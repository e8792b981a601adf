import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { commandsOn, gatehouse, temporaryFile, temporaryFolder } from '../../../test/command-line.ts';
import { startProcess } from '../../../test/faults/gatehouse-process.ts';
import { secretKey } from '../../../test/secret-key.ts';
import { forEachStore } from '../../../test/stores.ts';
import { findServiceLinks } from './service-links.ts';
import { definitions, keyInFile, secretNames, settingNames } from './setting-definitions.ts';
import { readSettings } from './settings.ts';

const smtpUrl = 'smtp://gate:hush@mail.example.org';
const mailFrom = { GATEHOUSE_MAIL_FROM: 'office@example.org' };

const withFile = (content: string | Buffer) => {
  const file = temporaryFile('smtp-url', content);
  return { file, read: () => readSettings({ ...mailFrom, GATEHOUSE_SMTP_URL_FILE: file }, 'no file') };
};

const examples: Readonly<Record<string, string>> = {
  GATEHOUSE_DATABASE_URL: 'postgres://gate:hush@db.example.org/gatehouse',
  GATEHOUSE_DATABASE_DIRECT_URL: 'postgres://gate:hush@db.example.org:6432/gatehouse',
  GATEHOUSE_SECRET_KEY: secretKey,
  GATEHOUSE_SMTP_URL: smtpUrl,
  GATEHOUSE_REDIS_URL: 'redis://:hush@redis.example.org:6379',
  GATEHOUSE_METRICS_TOKEN: 'hush-hush-hush-hush-hush',
};

test('every secret can be in a file, which the settings name', () => {
  expect(Object.keys(examples).sort()).toEqual([...secretNames].sort());
  const files = secretNames.map(
    (name) => [`${name}_FILE`, temporaryFile(name, `${examples[name]}\n`)] as const,
  );
  const read = readSettings({ ...mailFrom, ...Object.fromEntries(files) }, 'no file');
  expect({ ...read, secretFiles: {} }).toEqual(readSettings({ ...mailFrom, ...examples }, 'no file'));
  const secretFiles = files.map(([, file], index) => [keyInFile(secretNames[index]!), file]);
  expect(read.secretFiles).toEqual(Object.fromEntries(secretFiles));
});

test.each([
  ['a line break', `${smtpUrl}\n`],
  ['a line break of Windows', `${smtpUrl}\r\n`],
  ['no line break', smtpUrl],
  ['a byte order mark', `\ufeff${smtpUrl}\r\n`],
])('a file with %s at its end or start has the same value', (_, content) => {
  expect(withFile(content).read().smtpUrl).toBe(smtpUrl);
});

test('a file may be a link to one that changes, as Kubernetes makes them', () => {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, '..2026'));
  writeFileSync(path.join(folder, '..2026', 'smtp-url'), smtpUrl);
  symlinkSync('..2026', path.join(folder, '..data'));
  symlinkSync('..data/smtp-url', path.join(folder, 'smtp-url'));
  const env = { ...mailFrom, GATEHOUSE_SMTP_URL_FILE: path.join(folder, 'smtp-url') };
  expect(readSettings(env, 'no file').smtpUrl).toBe(smtpUrl);
});

test.each([
  ['', 'is empty. Write the value into it.'],
  ['\n', 'is empty. Write the value into it.'],
  [`${smtpUrl}\n\n`, 'has several lines. Write only the value into it.'],
  [`GATEHOUSE_MAIL_FROM=hush\n${smtpUrl}\n`, 'has several lines. Write only the value into it.'],
  [Buffer.from(`\ufeff${smtpUrl}`, 'utf16le'), 'is no text in UTF-8. Save it as UTF-8.'],
  ['hush'.repeat(20_000), 'has more than 64 KiB. Use a file that contains only the value.'],
])('a file with %j cannot be used, and is not shown', (content, problem) => {
  const { file, read } = withFile(content);
  expect(read).toThrow(`GATEHOUSE_SMTP_URL_FILE is ${file}, which ${problem}`);
  expect(read).not.toThrow('hush');
});

test('an invalid value in a file is not shown', () => {
  const { file, read } = withFile('hush://hush');
  expect(read).toThrow(
    `The file ${file} of GATEHOUSE_SMTP_URL_FILE has an invalid value. Use smtp://user:password@host:587`,
  );
  expect(read).not.toThrow('hush');
});

test('a path that is no file is named', () => {
  const folder = temporaryFolder();
  const read = (file: string) => () => readSettings({ GATEHOUSE_SECRET_KEY_FILE: file }, 'no file');
  expect(read(folder)).toThrow(
    `GATEHOUSE_SECRET_KEY_FILE is ${folder}, which is not a file. Use the path of a file that contains the value.`,
  );
  expect(read('/dev/null')).toThrow('GATEHOUSE_SECRET_KEY_FILE is /dev/null, which is not a file.');
  const missing = path.join(folder, 'missing');
  expect(read(missing)).toThrow(
    `GATEHOUSE_SECRET_KEY_FILE is ${missing}, which does not exist. Correct the path.`,
  );
  expect(read(`${missing}\0`)).toThrow('GATEHOUSE_SECRET_KEY_FILE is ');
});

test.skipIf(process.getuid?.() === 0)('a file that this user may not read is named', () => {
  const { file, read } = withFile(smtpUrl);
  chmodSync(file, 0);
  expect(read).toThrow(
    `GATEHOUSE_SMTP_URL_FILE is ${file}, which cannot be read. Let the user of Gatehouse read it.`,
  );
});

test.each([
  ['GATEHOUSE_SMTP_URL_FILE', smtpUrl],
  ['GATEHOUSE_SECRET_KEY_FILE', secretKey],
  ['GATEHOUSE_METRICS_TOKEN_FILE', 'hush-hush'],
])('a secret instead of a path in %s is not shown', (name, value) => {
  const read = () => readSettings({ [name]: value }, 'no file');
  expect(read).toThrow(`${name} names a file that does not exist. Correct the path.`);
  expect(read).not.toThrow(value);
});

test('a setting and its file are not both set in one place', () => {
  const file = temporaryFile('smtp-url', smtpUrl);
  const both = { ...mailFrom, GATEHOUSE_SMTP_URL: 'smtp://other.example.org', GATEHOUSE_SMTP_URL_FILE: file };
  expect(() => readSettings(both, 'no file')).toThrow(
    'GATEHOUSE_SMTP_URL and GATEHOUSE_SMTP_URL_FILE are both set. Set only one of them.',
  );
  expect(readSettings({ ...both, GATEHOUSE_SMTP_URL: '' }, 'no file').smtpUrl).toBe(smtpUrl);
  expect(readSettings({ ...both, GATEHOUSE_SMTP_URL_FILE: '' }, 'no file').smtpUrl).toBe(
    both.GATEHOUSE_SMTP_URL,
  );
});

test('gatehouse.json names such files too, and the environment goes before it', () => {
  const file = temporaryFile('smtp-url', smtpUrl);
  const json = (settings: object) => temporaryFile('gatehouse.json', JSON.stringify(settings));
  const inFile = json({ mailFrom: 'office@example.org', smtpUrlFile: file });
  expect(readSettings({}, inFile)).toMatchObject({ smtpUrl, secretFiles: { smtpUrl: file } });
  const GATEHOUSE_SMTP_URL = 'smtp://other.example.org';
  expect(readSettings({ GATEHOUSE_SMTP_URL }, inFile)).toMatchObject({
    smtpUrl: GATEHOUSE_SMTP_URL,
    secretFiles: {},
  });
  const both = json({ smtpUrl, smtpUrlFile: file });
  expect(() => readSettings({}, both)).toThrow(
    `smtpUrl in ${both} and smtpUrlFile in ${both} are both set. Set only one of them.`,
  );
  const others = json({ portFile: file });
  expect(() => readSettings({}, others)).toThrow(
    `portFile in ${others} is not a setting, because port is no secret. Set port to the value itself.`,
  );
});

test('only a secret can be in a file', () => {
  for (const name of settingNames.filter((each) => !definitions[each].isSecret)) {
    expect(() => readSettings({ [`${name}_FILE`]: '/run/secrets/x' }, 'no file')).toThrow(
      `${name}_FILE is not a setting, because ${name} is no secret. Set ${name} to the value itself.`,
    );
  }
  expect(() => readSettings({ GATEHOUSE_SMTP_URL_FLE: 'x' }, 'no file')).toThrow(
    'GATEHOUSE_SMTP_URL_FLE is not a setting. Did you mean GATEHOUSE_SMTP_URL_FILE?',
  );
});

test('a service of Kubernetes may have the name of such a setting', () => {
  const links = {
    GATEHOUSE_SMTP_URL_FILE_SERVICE_HOST: '10.96.12.7',
    GATEHOUSE_SMTP_URL_FILE_SERVICE_PORT_FILE: '8080',
    GATEHOUSE_SMTP_URL_FILE_PORT: 'tcp://10.96.12.7:8080',
    GATEHOUSE_SMTP_URL_FILE_PORT_8080_TCP_ADDR: '10.96.12.7',
  };
  expect(findServiceLinks(links)).toEqual(Object.keys(links));
  expect(readSettings(links, 'no file')).toEqual(readSettings({}, 'no file'));
});

forEachStore((store) => {
  test('a service, its workers and the commands have their secrets from files', async () => {
    const url = await store.migratedUrl();
    const files = {
      GATEHOUSE_DATABASE_URL_FILE: temporaryFile('database-url', `${url}\n`),
      GATEHOUSE_SECRET_KEY_FILE: temporaryFile('secret-key', `${secretKey}\n`),
    };
    const service = await startProcess('', {
      ...files,
      GATEHOUSE_SECRET_KEY: '',
      ...(store.dialect === 'postgres' && { GATEHOUSE_WORKERS: 2 }),
    });
    const { json, stdout } = await gatehouse(['doctor', '--json'], { env: files });
    expect(stdout).not.toContain(secretKey);
    expect(json.settings.secretFiles).toEqual({
      databaseUrl: files.GATEHOUSE_DATABASE_URL_FILE,
      secretKey: files.GATEHOUSE_SECRET_KEY_FILE,
    });
    expect(json.service.pid).toBe(service.pid);
    expect(json.checks).toContainEqual({
      check: 'secret key',
      status: 'ok',
      message: `in ${files.GATEHOUSE_SECRET_KEY_FILE}`,
    });
    const ofProcess = (pid: number, file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8');
    const workers = ofProcess(service.pid, `task/${service.pid}/children`)
      .split(' ')
      .filter(Boolean)
      .map(Number);
    expect(workers).toHaveLength(store.dialect === 'postgres' ? 2 : 0);
    for (const pid of [service.pid, ...workers]) {
      const shown = ofProcess(pid, 'environ') + ofProcess(pid, 'cmdline');
      expect(shown).not.toContain(secretKey);
      expect(shown).not.toContain(url);
      expect(shown).toContain(`--heap-growing-percent=${store.dialect === 'postgres' ? 100 : 20}`);
    }
  });

  test('doctor shows without a service which secrets are in files', async () => {
    const file = temporaryFile('secret-key', secretKey);
    const env = { GATEHOUSE_SECRET_KEY: '', GATEHOUSE_SECRET_KEY_FILE: file };
    const run = commandsOn(await store.migratedUrl());
    expect((await run(['doctor'], { env })).stdout).toMatch(
      new RegExp(`^  secretFiles +secretKey ${file}$`, 'm'),
    );
    expect((await run(['doctor'])).stdout).toMatch(/^ {2}secretFiles +-$/m);
    const missing = { ...env, GATEHOUSE_SECRET_KEY_FILE: '/missing/key' };
    expect(await run(['doctor'], { env: missing })).toMatchObject({
      exitCode: 2,
      stderr:
        'gatehouse: GATEHOUSE_SECRET_KEY_FILE is /missing/key, which does not exist. Correct the path.\n',
    });
  });
});
