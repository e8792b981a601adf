import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { outgoingSettings, readSettings } from './settings.ts';

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
    `GATEHOUSE_ALLOWED_NETWORKS is "${text}". Use addresses, or networks with their first address, separated by commas: 10.0.0.0/8,fd00::1.`,
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
