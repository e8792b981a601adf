import { globSync, readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import path from 'node:path';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import rootManifest from '../package.json' with { type: 'json' };
import { definitions } from '../server/src/app/settings/setting-definitions.ts';
import { composeConfigurations } from './compose-configurations.ts';

interface Service {
  readonly image: string;
  readonly environment?: Record<string, string>;
  readonly ports?: readonly string[];
  readonly networks: Record<string, { ipv4_address?: string } | null>;
  readonly volumes?: readonly (string | { source: string; read_only: boolean })[];
  readonly secrets?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly command?: readonly string[];
  readonly depends_on?: Record<string, { condition: string }>;
  readonly [key: string]: unknown;
}

interface Composition {
  readonly services: Record<string, Service>;
  readonly networks: Record<string, { internal?: boolean; ipam: { config: [{ subnet: string }] } }>;
  readonly secrets: Record<string, { file: string }>;
}

const folder = path.resolve(import.meta.dirname, '../examples/compose');
const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');
const proxies = ['caddy', 'nginx', 'traefik'];

/** Each proxy with each database, as Compose merges their files. */
const compositions = proxies.flatMap((proxy) =>
  [['email'], ['email', 'postgresql']].map((parts) => {
    const files = ['compose.yaml', ...[proxy, ...parts].map((part) => `compose.${part}.yaml`)];
    const [first, ...others] = files.map((file) => parse(read(file)));
    return {
      name: [proxy, ...parts].join(' '),
      files: files.join(':'),
      composition: others.reduce(merge, first) as Composition,
    };
  }),
);

/** As Compose merges two files: lists are joined, and a later value replaces an earlier one. */
function merge(first: unknown, second: unknown): unknown {
  if (Array.isArray(first) && Array.isArray(second)) return [...first, ...second];
  if (!isMap(first) || !isMap(second)) return second ?? first ?? null;
  const merged = Object.entries(second).map(([key, value]) => [key, merge(first[key], value)]);
  return { ...first, ...Object.fromEntries(merged) };
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const schema = path.resolve(import.meta.dirname, '../node_modules/dclint/schemas/compose.schema.json');
const isCompose = new Ajv({ strict: false, validateFormats: false }).compile(
  JSON.parse(readFileSync(schema, 'utf8').replace('https://json-schema.org/draft-07/schema', '')),
);

test.each(compositions)('$name is a valid composition, with the images of one version', ({ composition }) => {
  expect([isCompose(composition), isCompose.errors]).toEqual([true, null]);
  const images = Object.values(composition.services).map(({ image }) => image);
  for (const image of images) expect(image).toMatch(/^[\w./-]+:v?\d+\.\d+(\.\d+)?$/);
  expect(images).toContain(`gatehouse:${rootManifest.version}`);
});

test.each(compositions)('with $name, only the proxy can be reached from outside', ({ composition }) => {
  const published = Object.entries(composition.services).filter(([, service]) => 'ports' in service);
  expect(published.map(([name, { ports }]) => [name, ports])).toEqual([['proxy', ['80:80', '443:443']]]);
  const membersOf = (network: string) =>
    Object.keys(composition.services).filter((name) => network in composition.services[name]!.networks);
  const members = Object.keys(composition.networks).map((network) => [network, membersOf(network)]);
  expect(Object.fromEntries(members)).toEqual({
    public: ['proxy'],
    gate: ['proxy', 'gatehouse'],
    program: ['proxy', 'whoami'],
    outgoing: ['gatehouse'],
    ...('postgresql' in composition.services && { database: ['gatehouse', 'postgresql'] }),
  });
  const open = Object.entries(composition.networks).filter(([, { internal }]) => !internal);
  expect(open.map(([network]) => network)).toEqual(['public', 'outgoing']);
});

test.each(compositions)(
  'with $name, Gatehouse trusts the fixed address of the proxy only',
  ({ composition }) => {
    const subnets = Object.values(composition.networks).map(({ ipam }) => ipam.config[0].subnet);
    expect(new Set(subnets).size).toBe(subnets.length);
    for (const subnet of subnets) expect(subnet).toMatch(/^10\.\d+\.\d+\.0\/24$/);
    for (const { networks } of Object.values(composition.services)) {
      for (const [network, settings] of Object.entries(networks)) {
        if (!settings?.ipv4_address) continue;
        const [address, bits] = composition.networks[network]!.ipam.config[0].subnet.split('/');
        const addresses = new BlockList();
        addresses.addSubnet(address!, Number(bits));
        expect(addresses.check(settings.ipv4_address)).toBe(true);
      }
    }
    const { proxy, gatehouse, whoami } = composition.services;
    const trusted = gatehouse!.environment!.GATEHOUSE_TRUSTED_PROXIES;
    expect(trusted).toBe(proxy!.networks.gate!.ipv4_address);
    // Docker gives no fixed address to another container, and a proxy finds those of both after they have restarted.
    expect(gatehouse!.networks.gate!.ipv4_address).not.toBe(trusted);
    expect(whoami!.networks.program!.ipv4_address).toBeDefined();
  },
);

test.each(compositions)('with $name, containers have few rights', ({ composition }) => {
  for (const [name, service] of Object.entries(composition.services)) {
    expect([name, service]).toEqual([
      name,
      expect.objectContaining({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        restart: 'unless-stopped',
      }),
    ]);
    for (const key of ['privileged', 'network_mode', 'pid', 'ipc', 'devices', 'extra_hosts'])
      expect([name, key, key in service]).toEqual([name, key, false]);
    expect(JSON.stringify(service.volumes ?? [])).not.toMatch(/docker\.sock|"\/:/);
    if (name === 'proxy') {
      const rights = ['CHOWN', 'NET_BIND_SERVICE', 'SETGID', 'SETUID'];
      expect(service.cap_add?.filter((right) => !rights.includes(right)) ?? []).toEqual([]);
      continue;
    }
    expect([name, service.cap_add, service.user]).toEqual([
      name,
      undefined,
      expect.stringMatching(/^(10001:10001|postgres)$/),
    ]);
  }
  expect(composition.services.gatehouse!.user).toBe('10001:10001');
});

test.each(compositions)('with $name, secrets are in files and in no environment', ({ composition }) => {
  const isSecret = (name: string) => definitions[name as keyof typeof definitions]?.isSecret === true;
  for (const { environment = {}, secrets = [], command = [] } of Object.values(composition.services)) {
    const files = Object.entries(environment).filter(([name]) => name.endsWith('_FILE'));
    expect(files.map(([, file]) => file).sort()).toEqual(
      secrets.map((name) => `/run/secrets/${name}`).sort(),
    );
    expect(Object.keys(environment).filter(isSecret)).toEqual([]);
    for (const text of [...Object.values(environment), ...command])
      expect(text).not.toMatch(/:\/\/[^/]*@|password=/i);
  }
  const ofGatehouse = Object.keys(composition.services.gatehouse!.environment!);
  for (const name of ofGatehouse) {
    expect([name, name in definitions || isSecret(name.replace(/_FILE$/, ''))]).toEqual([name, true]);
  }
  for (const [name, { file }] of Object.entries(composition.secrets)) expect(file).toBe(`secrets/${name}`);
});

test('the file with the hosts has no secret, and names what the compositions need', () => {
  const names = [...read('.env').matchAll(/^(\w+)=/gm)].map(([, name]) => name!);
  expect(names).toEqual(['COMPOSE_FILE', 'SITE_HOST', 'DASHBOARD_HOST', 'EMAIL']);
  const used = globSync('*.yaml', { cwd: folder }).flatMap((file) => [...read(file).matchAll(/\$\{(\w+)/g)]);
  expect(used.map(([, name]) => name!).filter((name) => !names.includes(name))).toEqual([]);
  const [, started = ''] = /^COMPOSE_FILE=(.*)$/m.exec(read('.env'))!;
  expect(compositions.map(({ files }) => files)).toContain(started);
});

test('the guide has the version of the image, and the secrets of all files', () => {
  const versions = [...read('README.md').matchAll(/\bgatehouse[-:](\d+\.\d+\.\d+)/g)].map(
    ([, version]) => version,
  );
  expect(new Set(versions)).toEqual(new Set([rootManifest.version]));
  const secrets = compositions.flatMap(({ composition }) => Object.values(composition.secrets));
  for (const { file } of secrets) expect(read('README.md')).toContain(` ${file}`);
});

test('the configurations of the proxies are those of the guides (`npm run compose` writes them)', () => {
  const expected = composeConfigurations();
  const files = globSync('{caddy,nginx,traefik}/*', { cwd: folder });
  expect(Object.fromEntries(files.map((file) => [file, read(file)]))).toEqual(expected);
  for (const text of Object.values(expected))
    expect(text).not.toMatch(/example\.org|127\.0\.0\.1|\/srv\/club/);
});

test('the options of Traefik are those of its guide', () => {
  const guide = readFileSync(path.join(folder, '../../docs/guides/configurations/traefik.yml'), 'utf8');
  const options = flags(parse(guide)).map((flag) =>
    flag.replace('/etc/traefik/acme.json', '/acme/acme.json'),
  );
  const command: string[] = parse(read('compose.traefik.yaml')).services.proxy.command;
  const given = command.map((flag) => flag.replace(/\$\{EMAIL:.*\}/, 'office@club.example.org'));
  expect(given).toEqual(options);
});

/** The values of a configuration file as options of a command. */
function flags(value: unknown, name = '-'): string[] {
  if (!isMap(value)) return [`${name}=${value}`];
  return Object.entries(value).flatMap(([key, inner]) =>
    flags(inner, name === '-' ? `--${key}` : `${name}.${key}`),
  );
}
