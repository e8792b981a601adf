import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { operations } from '@gatehouse/contract';
import { dashboardOperations } from '@gatehouse/contract/dashboard';
import { expect, test } from 'vitest';
import { type Import, importsOf, sourceFiles } from '../../scripts/imports.ts';
import { handlers } from '../src/operations/handlers.ts';

/** The layers of the server, the lowest first. A file imports its own folder and lower layers only. */
const layers = [
  'base',
  'i18n',
  'storage',
  'domain',
  'connectors',
  'operations',
  'runtime',
  'jobs',
  'pages',
  'http',
  'app',
  'commands',
];

/** The dependencies of each concept of the domain on others. The list is complete. */
const domainEdges: Record<string, readonly string[]> = {
  cursors: [],
  events: ['cursors'],
  'access-groups': ['cursors', 'events'],
  'invitation-ends': ['cursors', 'events'],
  'api-keys': ['cursors', 'events', 'invitation-ends'],
  emails: ['cursors', 'events'],
  'email-texts': ['emails', 'events', 'sites'],
  credentials: ['cursors', 'events'],
  'access-tokens': ['credentials', 'cursors', 'events', 'sessions'],
  sessions: ['credentials', 'events'],
  sites: ['events'],
  'signing-keys': ['events', 'sites'],
  'known-browsers': ['events', 'sessions'],
  'login-links': ['emails', 'events'],
  memberships: ['access-groups', 'cursors', 'events'],
  'listed-people': ['events'],
  identities: ['events', 'memberships'],
  'passkey-ends': ['events'],
  'join-requests': ['cursors', 'events'],
  members: [
    'access-groups',
    'access-tokens',
    'cursors',
    'emails',
    'events',
    'identities',
    'invitation-ends',
    'join-requests',
    'known-browsers',
    'listed-people',
    'login-links',
    'memberships',
    'passkey-ends',
    'sessions',
  ],
  sources: ['access-groups', 'cursors', 'events', 'members', 'memberships'],
  'sign-up': ['access-groups', 'events', 'members'],
  invitations: [
    'access-groups',
    'api-keys',
    'cursors',
    'email-texts',
    'emails',
    'events',
    'invitation-ends',
    'members',
    'memberships',
    'sessions',
    'sites',
  ],
  logins: [
    'email-texts',
    'emails',
    'events',
    'identities',
    'invitations',
    'join-requests',
    'known-browsers',
    'login-links',
    'members',
    'memberships',
    'passkey-ends',
    'sessions',
    'sign-up',
    'sites',
  ],
  'login-providers': ['access-groups', 'events', 'identities', 'memberships', 'sites'],
  'provider-logins': [
    'access-groups',
    'email-texts',
    'emails',
    'events',
    'identities',
    'login-providers',
    'logins',
    'members',
    'memberships',
    'own-account',
    'sessions',
    'sites',
  ],
  'page-codes': ['cursors', 'emails', 'events', 'operators', 'sessions', 'sites'],
  'access-rules': [
    'access-groups',
    'access-tokens',
    'events',
    'members',
    'memberships',
    'page-codes',
    'sessions',
    'signing-keys',
    'sites',
  ],
  'own-account': [
    'access-tokens',
    'events',
    'invitations',
    'join-requests',
    'logins',
    'members',
    'sessions',
    'sites',
  ],
  passkeys: ['emails', 'events', 'logins', 'members', 'own-account', 'passkey-ends', 'sessions', 'sites'],
  'address-changes': [
    'email-texts',
    'emails',
    'events',
    'identities',
    'login-links',
    'members',
    'own-account',
    'passkey-ends',
    'sessions',
    'sites',
  ],
  'saved-views': ['events', 'members'],
  operators: [
    'cursors',
    'emails',
    'events',
    'invitation-ends',
    'logins',
    'members',
    'passkey-ends',
    'saved-views',
    'sessions',
    'sites',
  ],
  'join-decisions': [
    'access-groups',
    'email-texts',
    'emails',
    'events',
    'invitations',
    'join-requests',
    'members',
    'memberships',
    'operators',
    'sites',
  ],
  webhooks: ['access-groups', 'cursors', 'emails', 'events', 'operators'],
  overview: [
    'access-groups',
    'access-rules',
    'emails',
    'events',
    'identities',
    'login-providers',
    'members',
    'memberships',
    'sessions',
    'sites',
  ],
};

/** The maximum number of dependencies between top-level folders, with the folders of the domain counted as one. */
const maxDependencies = 49;

/** Packages that only some folders may import, with the folders in them. */
const homes: Record<string, string | readonly string[]> = {
  '@notionhq/client': 'connectors/notion',
  '@fastify/send': 'http/built-in-site',
  fastify: 'http',
  jose: ['domain/signing-keys', 'connectors/login-provider'],
  'openid-client': 'connectors/login-provider',
  nodemailer: 'jobs',
  parse5: 'connectors/page-visit',
  '@simplewebauthn/server': 'domain',
  'ipaddr.js': 'base',
  'prom-client': 'http/metrics',
  '@opentelemetry/api': 'base/traces',
  '@opentelemetry/sdk-trace': 'base/traces',
  standardwebhooks: 'connectors/webhook-sender',
  undici: 'connectors/outgoing',
  'node:sqlite': 'storage',
  postgres: 'storage',
};

const source = fileURLToPath(new URL('../src', import.meta.url));
const files = sourceFiles(source);
const imports = importsOf(source, files);
const inside = imports.filter(({ target }) => files.includes(target));

test('every folder is a layer, and every folder of the domain a concept', () => {
  expect([...new Set(files.map(layerOf))].sort()).toEqual(layers.toSorted());
  const concepts = new Set(files.map(conceptOf).filter((concept) => concept !== undefined));
  expect([...concepts].sort()).toEqual(Object.keys(domainEdges).sort());
});

test('no file imports a higher layer, types included', () => {
  const level = (file: string) => layers.indexOf(layerOf(file));
  expect(named(inside.filter(({ file, target }) => level(target) > level(file)))).toEqual([]);
});

test(`there are at most ${maxDependencies} dependencies between the top-level folders`, () => {
  const pairs = new Set(
    inside
      .filter(({ file, target }) => layerOf(file) !== layerOf(target))
      .map(({ file, target }) => `${layerOf(file)} → ${layerOf(target)}`),
  );
  expect(pairs.size).toBeLessThanOrEqual(maxDependencies);
});

test('the concepts of the domain depend exactly on the listed ones', () => {
  const edges: Record<string, string[]> = {};
  for (const concept of Object.keys(domainEdges)) {
    const needed = inside
      .filter(({ file }) => conceptOf(file) === concept)
      .map(({ target }) => conceptOf(target))
      .filter((other) => other !== undefined && other !== concept);
    edges[concept] = [...new Set(needed as string[])].sort();
  }
  expect(edges).toEqual(domainEdges);
});

test('the concepts of the domain have no circular dependencies', () => {
  const isBelow = (from: string, to: string): boolean =>
    domainEdges[from]!.some((other) => other === to || isBelow(other, to));
  expect(Object.keys(domainEdges).filter((concept) => isBelow(concept, concept))).toEqual([]);
});

test('a part of the HTTP server imports no other part', () => {
  const partOf = (file: string) => /^http\/(\w[\w-]*)\//.exec(file)?.[1];
  const between = inside.filter(({ file, target }) => {
    const [from, to] = [partOf(file), partOf(target)];
    return from !== undefined && to !== undefined && to !== from && to !== 'shared';
  });
  expect(named(between)).toEqual([]);
});

test('a store is imported only by its own concept', () => {
  const foreign = inside.filter(
    ({ file, target }) => /^domain\/.*-store\.ts$/.test(target) && conceptOf(file) !== conceptOf(target),
  );
  expect(named(foreign)).toEqual([]);
});

test.each(Object.entries(homes))('%s is imported by its folders only', (name, home) => {
  const isForeign = (file: string) => [home].flat().every((folder) => !file.startsWith(`${folder}/`));
  const foreign = imports.filter(({ file, target }) => target === name && isForeign(file));
  expect(named(foreign)).toEqual([]);
});

test('OpenTelemetry, prom-client and openid-client are loaded only when they are used', () => {
  const lazy =
    /^(?:prom-client|openid-client|base\/traces\/otlp-tracing\.ts|connectors\/login-provider\/login-provider-connector\.ts)$/;
  const importing = files.filter((file) => {
    const text = readFileSync(path.join(source, file), 'utf8');
    return [...text.matchAll(/^import (?!type\b)[^;]*?'([^']+)'/gm)].some(([, name]) => {
      const target = name!.startsWith('.') ? path.join(path.dirname(file), name!) : name!;
      return (
        lazy.test(target) || (/^@opentelemetry\//.test(target) && file !== 'base/traces/otlp-tracing.ts')
      );
    });
  });
  expect(importing).toEqual([]);
});

test('only the guard of outgoing requests, the built-in site and the command line send HTTP requests', () => {
  // The scripts for passkeys run in a browser.
  const senders =
    /^(?:connectors\/outgoing|app|commands)\/|^http\/built-in-site\/upstream\.ts$|^pages\/passkeys\/support-script\.ts$/;
  const elsewhere = files.filter((file) => {
    const text = readFileSync(path.join(source, file), 'utf8');
    return (
      !senders.test(file) &&
      /(?<![\w.])(?:fetch|request)\(|\bimport\b[^;]*\b(?:get|request)\b[^;]*'node:http/.test(text)
    );
  });
  expect(elsewhere).toEqual([]);
});

test('schemas of the contract are loaded only where requests and responses are checked', () => {
  const users = [/^http\//, /^commands\/(?:event\/events|api\/[\w/-]+)\.ts$/];
  const elsewhere = imports.filter(
    ({ file, target, isType }) =>
      !isType &&
      /^@gatehouse\/contract(\/dashboard)?$/.test(target) &&
      !users.some((user) => user.test(file)),
  );
  expect(named(elsewhere)).toEqual([]);
});

test('every operation of the contract has exactly one handler, in the file of the same name', async () => {
  const handled = files.filter((each) => layerOf(each) === 'operations');
  const found = await filesOfIds(source, handled, 'Handlers');
  expect(Object.keys(handlers).sort()).toEqual(Object.keys(found).sort());

  const contract = fileURLToPath(new URL('../../contract/src', import.meta.url));
  const resources = globSync('*/*.ts', { cwd: contract, exclude: ['dashboard/**', '**/*.test.ts'] });
  const declared = await filesOfIds(contract, resources, 'Operations');
  // The OpenAPI document belongs to no site, so it has no handler.
  expect([...Object.keys(declared), 'getOpenApi'].sort()).toEqual(Object.keys(operations).sort());
  expect(found).toEqual(declared);
});

/** The names of the files by the ids of operations in the groups that they export, such as `memberHandlers`. */
async function filesOfIds(folder: string, among: readonly string[], suffix: string) {
  const found: Record<string, string> = {};
  for (const file of among) {
    const exported: Record<string, object> = await import(path.join(folder, file));
    const groups = Object.entries(exported).filter(([name]) => name.endsWith(suffix));
    for (const id of groups.flatMap(([, group]) => Object.keys(group)))
      found[id] = path.basename(file, '.ts');
  }
  return found;
}

test('every operation of the dashboard has its handler in the file of the same name', async () => {
  const contract = fileURLToPath(new URL('../../contract/src/dashboard', import.meta.url));
  const resources = globSync('*.ts', { cwd: contract, exclude: ['index.ts', 'operations.ts'] });
  const declared = await filesOfIds(contract, resources, 'Operations');
  expect(Object.keys(declared).sort()).toEqual(Object.keys(dashboardOperations).sort());
  const api = path.join(source, 'http', 'dashboard', 'api');
  const handled = globSync('*.ts', { cwd: api, exclude: ['*.test.ts'] });
  expect(await filesOfIds(api, handled, 'Handlers')).toEqual(declared);
});

test('the SQL of a concept is in its store, or in a separate file for a list, its filter, order, search or counts', () => {
  const withSql = imports.filter(({ target }) => target === 'sql-template-tag').map(({ file }) => file);
  const elsewhere = withSql.filter(
    (file) =>
      conceptOf(file) !== undefined &&
      !/-(store|list|filter|order|scan|search|sample|numbers|counts|tombstones)\.ts$/.test(file),
  );
  expect(elsewhere).toEqual([]);
});

function layerOf(file: string): string {
  return file.split(path.sep)[0]!;
}

function conceptOf(file: string): string | undefined {
  const [layer, concept] = file.split(path.sep);
  return layer === 'domain' ? concept : undefined;
}

function named(some: readonly Import[]): string[] {
  return some.map(({ file, target }) => `${file} → ${target}`);
}
