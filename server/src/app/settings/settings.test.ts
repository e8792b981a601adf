import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findServiceLinks } from './service-links.ts';
import { outgoingSettings } from './service-settings.ts';
import { definitions, settingNames } from './setting-definitions.ts';
import { readSettings } from './settings.ts';
import { withTables } from './settings-document.ts';

const outgoing = (environment: NodeJS.ProcessEnv) => outgoingSettings(readSettings(environment, 'no file'));

test('by default no network is allowed for outgoing requests', () => {
  expect(outgoing({}).allowedNetworks).toEqual([]);
  expect(outgoing({ GATEHOUSE_ALLOWED_NETWORKS: '' }).allowedNetworks).toEqual([]);
});

test('networks and addresses can be allowed for outgoing requests', () => {
  const GATEHOUSE_ALLOWED_NETWORKS = '10.0.0.0/8, 192.168.1.5,FD00::/8,::1';
  expect(outgoing({ GATEHOUSE_ALLOWED_NETWORKS }).allowedNetworks).toEqual([
    '10.0.0.0/8',
    '192.168.1.5/32',
    'fd00::/8',
    '::1/128',
  ]);
});

test.each(['10.0.0.0/8,intranet', '10.0.0.1/8', '10.0.0.0/33', '*'])('%s is no list of networks', (text) => {
  expect(() => readSettings({ GATEHOUSE_ALLOWED_NETWORKS: text }, 'no file')).toThrow(
    `GATEHOUSE_ALLOWED_NETWORKS is "${text}". Use IP addresses, or networks with their first IP address, separated by commas: 10.0.0.0/8,fd00::1.`,
  );
});

test.each([
  [undefined, true],
  ['http://localhost:8080', true],
  ['http://gate.localhost', true],
  ['http://127.0.0.1:9000', true],
  ['http://127.1.2.3', true],
  ['http://[::1]:8080', true],
  ['https://localhost', false],
  ['http://gate.example.org', false],
  ['http://localhost.example.org', false],
  ['http://127.0.0.1.example.org', false],
  ['http://192.168.0.2', false],
  ['https://gate.example.org', false],
])('with the public URL %s, outgoing requests over http are allowed: %s', (publicUrl, allowed) => {
  expect(outgoing({ GATEHOUSE_PUBLIC_URL: publicUrl }).allowsHttp).toBe(allowed);
});

test.each([
  ['1', 1],
  ['64', 64],
  ['auto', Math.min(availableParallelism(), 64)],
])('on PostgreSQL, %s workers are %s', (GATEHOUSE_WORKERS, workers) => {
  const GATEHOUSE_DATABASE_URL = 'postgres://localhost/gatehouse';
  expect(readSettings({ GATEHOUSE_WORKERS, GATEHOUSE_DATABASE_URL }, 'no file')).toMatchObject({ workers });
});

const workersExpected = 'Use a whole number from 1 to 64, or auto for one per core.';

test.each([
  ['GATEHOUSE_WORKERS', '0', workersExpected],
  ['GATEHOUSE_WORKERS', '65', workersExpected],
  ['GATEHOUSE_WORKERS', 'all', workersExpected],
  ['GATEHOUSE_WORKERS', '1.5', workersExpected],
  [
    'GATEHOUSE_WORKERS',
    '3',
    'several workers need PostgreSQL and the database is SQLite. Set GATEHOUSE_DATABASE_URL',
  ],
  ['GATEHOUSE_DRAIN_SECONDS', '601', 'Use a whole number of seconds from 0 to 600.'],
])('%s %s is rejected with what to do', (name, value, advice) => {
  expect(() => readSettings({ [name]: value }, 'no file')).toThrow(advice);
});

test.each([
  [
    { GATEHOUSE_METRICS_TOKEN: 'a'.repeat(20) },
    'Set GATEHOUSE_METRICS_PORT to the first of as many free ports',
  ],
  [{ GATEHOUSE_METRICS_PORT: '65534' }, 'Use a port of at most 65533'],
])('with three workers, %s is rejected with what to do', (metrics, advice) => {
  const several = { GATEHOUSE_DATABASE_URL: 'postgres://localhost/gatehouse', GATEHOUSE_WORKERS: '3' };
  expect(() => readSettings({ ...several, ...metrics }, 'no file')).toThrow(advice);
  expect(() => readSettings({ ...several, GATEHOUSE_METRICS_PORT: '65533' }, 'no file')).not.toThrow();
});

const ofServices = {
  GATEHOUSE_SERVICE_HOST: '10.96.12.7',
  GATEHOUSE_SERVICE_PORT: '8080',
  GATEHOUSE_SERVICE_PORT_HTTP: '8080',
  GATEHOUSE_PORT: 'tcp://10.96.12.7:8080',
  GATEHOUSE_PORT_8080_TCP: 'tcp://10.96.12.7:8080',
  GATEHOUSE_PORT_8080_TCP_PROTO: 'tcp',
  GATEHOUSE_PORT_8080_TCP_PORT: '8080',
  GATEHOUSE_PORT_8080_TCP_ADDR: '10.96.12.7',
  GATEHOUSE_SITE_PORT: 'tcp://[fd00::7]:8081',
  GATEHOUSE_METRICS_PORT: 'udp://10.96.12.9:9090',
  GATEHOUSE_DB_SERVICE_HOST: 'fd00::8',
  GATEHOUSE_DB_PORT_5432_TCP: 'tcp://[fd00::8]:5432',
};

test('the variables of services of Kubernetes are not settings', () => {
  expect(findServiceLinks({ PATH: '/bin', ...ofServices })).toEqual(Object.keys(ofServices));
  expect(readSettings(ofServices, 'no file')).toEqual(readSettings({}, 'no file'));
  const options = { GATEHOUSE_PORT: { option: '--port', value: '9000' } };
  expect(readSettings(ofServices, 'no file', options)).toMatchObject({ port: 9000, sitePort: 8081 });
});

test.each([
  ['GATEHOUSE_PORT', '9000', { port: 9000 }],
  ['GATEHOUSE_SITE_PORT', '9001', { sitePort: 9001 }],
  ['GATEHOUSE_SITE_HOST', '10.96.12.7', { siteHost: '10.96.12.7' }],
])('%s=%s beside them is a setting', (name, value, settings) => {
  expect(readSettings({ ...ofServices, [name]: value }, 'no file')).toMatchObject(settings);
});

test.each([
  ['GATEHOUSE_PROT', 'tcp://10.96.12.7:8080'],
  ['GATEHOUSE_DB_PORT', '5432'],
  ['GATEHOUSE_SERVICE_HOST', 'gate.example.org'],
  ['GATEHOUSE_SERVICE_PORTS', '8080'],
  ['GATEHOUSE_PORT_8080', '8080'],
  ['GATEHOUSE_SERVICE', '10.96.12.7'],
])('%s=%s is no variable of a service', (name, value) => {
  expect(() => readSettings({ ...ofServices, [name]: value }, 'no file')).toThrow(`${name} is not a setting`);
});

test('a public URL has no path, and the error says why', () => {
  for (const GATEHOUSE_PUBLIC_URL of [
    'https://example.org/auth',
    'https://example.org/auth/',
    'https://e.org/?a',
  ]) {
    expect(() => readSettings({ GATEHOUSE_PUBLIC_URL }, 'no file')).toThrow(
      'GATEHOUSE_PUBLIC_URL has an invalid value. Use a URL without a path, such as https://gate.example.org: ' +
        'Gatehouse needs a host of its own',
    );
  }
  const GATEHOUSE_PUBLIC_URL = 'https://gate.example.org/';
  expect(readSettings({ GATEHOUSE_PUBLIC_URL }, 'no file').publicUrl).toBe('https://gate.example.org');
});

const office = 'office@club.example';

test.each([
  ['Office@Club.example', office, undefined],
  ['"office@club.example"', office, undefined],
  ['<office@club.example>', office, undefined],
  ['Rowing Club <office@club.example>', office, 'Rowing Club'],
  ['"Rowing Club <office@club.example>"', office, 'Rowing Club'],
  ["'Rowing Club <office@club.example>'", office, 'Rowing Club'],
  ['"Club, Rowing" <office@club.example>', office, 'Club, Rowing'],
  ['""Club, Rowing" <office@club.example>"', office, 'Club, Rowing'],
  ['"The \\"Oar\\"" <office@club.example>', office, 'The "Oar"'],
  ['  Müller & Söhne  <office@münchen.example> ', 'office@xn--mnchen-3ya.example', 'Müller & Söhne'],
])('the sender %s is an address and a name', (GATEHOUSE_MAIL_FROM, mailFrom, mailFromName) => {
  expect(readSettings({ GATEHOUSE_MAIL_FROM }, 'no file')).toMatchObject({ mailFrom, mailFromName });
});

test.each([
  'Rowing Club',
  'Rowing Club <office>',
  'a@club.example, b@club.example',
  'a@club.example <b@club.example>',
  'Club <a@club.example> <b@club.example>',
  'Club\r\nBcc: x <a@club.example>',
  '"office@club.example',
])('%j is not one sender', (GATEHOUSE_MAIL_FROM) => {
  expect(() => readSettings({ GATEHOUSE_MAIL_FROM }, 'no file')).toThrow(
    'Use the sender of emails, such as noreply@example.org or Rowing Club <noreply@example.org>.',
  );
});

test('the tables of docs/settings.md are those of the definitions of settings and log', () => {
  const document = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/settings.md'), 'utf8');
  expect(document, 'run npm run settings').toBe(withTables(document));
});

test('what is named like a secret is defined as one, and an invalid value of it is not shown', () => {
  const secrets = settingNames.filter((name) => definitions[name].isSecret);
  expect(secrets).toEqual(
    expect.arrayContaining(settingNames.filter((name) => /SECRET|TOKEN|KEY$/.test(name))),
  );
  for (const name of secrets) {
    const read = () => readSettings({ [name]: 'hush, hush' }, 'no file');
    expect(read).toThrow(`${name} has an invalid value. Use `);
    expect(read).not.toThrow('hush');
  }
});

test.each([
  'GATEHOUSE_PUBLIC_URL',
  'GATEHOUSE_NOTION_URL',
  'GATEHOUSE_TRACES_URL',
  'GATEHOUSE_SITE_UPSTREAM',
])('a password in %s is rejected, and not shown', (name) => {
  for (const url of ['http://:hush@gate.example.org', 'http://gate:hush@gate.example.org', 'gate:hush@db']) {
    expect(() => readSettings({ [name]: url }, 'no file')).toThrow(`${name} has an invalid value. Use `);
  }
});
