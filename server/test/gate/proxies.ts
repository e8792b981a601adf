import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../faults/gatehouse-process.ts';
import { freePort } from '../free-port.ts';
import { noteSkipped } from '../skipped.ts';

/** The folder of the guides' configurations. */
export const configurations = fileURLToPath(new URL('../../../docs/guides/configurations', import.meta.url));

/** Servers are often in folders that only root searches for programs. */
const searchPath = `${process.env.PATH}:/usr/local/sbin:/usr/sbin`;

/** The services behind a proxy, and the certificate of the proxy. */
export interface Upstreams {
  readonly gatehousePort: number;
  readonly appPort: number;
  /** The folder of the static site. */
  readonly site: string;
  readonly certificate: string;
  readonly certificateKey: string;
}

export interface RunningProxy {
  readonly httpsPort: number;
  readonly httpPort: number;
  stop(): Promise<void>;
}

export interface ProxyProgram {
  readonly name: string;
  /** Whether its tests are skipped; never in CI. */
  leftOut(): boolean;
  /** Starts it with the configuration of its guide, or with a modified one. */
  start(upstreams: Upstreams, change?: (configuration: string) => string): Promise<RunningProxy>;
  /** The configuration without the gate: every page is public. */
  withoutGate(configuration: string): string;
  /** The configuration with another host of the same site and the same pages. */
  withHost(configuration: string, host: string): string;
  /** The configuration with a second site, whose pages are the public ones of the first site. */
  withSecondSite(configuration: string): string;
}

export const nginx: ProxyProgram = {
  name: 'nginx',
  leftOut: () => isLeftOut('nginx', '-v'),
  start(upstreams, change = (configuration) => configuration) {
    const configuration = change(readConfiguration('nginx.conf'));
    return startNginx(configuration, {
      '/etc/letsencrypt/live/club.example.org/fullchain.pem': upstreams.certificate,
      '/etc/letsencrypt/live/club.example.org/privkey.pem': upstreams.certificateKey,
      ...behindTheProxy(upstreams, configuration),
    });
  },
  withoutGate: (configuration) =>
    substitute(configuration, { 'auth_request /_gatehouse/auth;': 'auth_request off;' }),
  withHost: (configuration, host) => configuration + withItsCertificate(nginxServer(configuration), host),
  withSecondSite: (configuration) =>
    configuration + substitute(withItsCertificate(nginxServer(configuration), openHostName), secondSite),
};

/** nginx with a server only for the dashboard, or with another one derived from it. */
export function startNginxOfDashboard(
  upstreams: Upstreams,
  change: (configuration: string) => string = (configuration) => configuration,
): Promise<RunningProxy> {
  return startNginx(change(readConfiguration('dashboard-nginx.conf')), {
    '/etc/letsencrypt/live/gate.example.org/fullchain.pem': upstreams.certificate,
    '/etc/letsencrypt/live/gate.example.org/privkey.pem': upstreams.certificateKey,
    '127.0.0.1:8080': `127.0.0.1:${upstreams.gatehousePort}`,
  });
}

/** Caddy with only the dashboard. */
export function startCaddyOfDashboard(upstreams: Upstreams): Promise<RunningProxy> {
  return startCaddy(readConfiguration('dashboard.Caddyfile'), upstreams, {
    '127.0.0.1:8080': `127.0.0.1:${upstreams.gatehousePort}`,
  });
}

/** nginx with this configuration of sites, at free ports of this machine. */
export async function startNginx(
  configuration: string,
  replacements: Record<string, string>,
): Promise<RunningProxy> {
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-nginx-'));
  const [httpPort, httpsPort] = [await freePort(), await freePort()];
  const ports: Record<string, number> = {
    'listen 80': httpPort,
    'listen 443': httpsPort,
    // A machine may lack IPv6.
    'listen [::]:80': await freePort(),
    'listen [::]:443': await freePort(),
  };
  const listening = Object.entries(ports)
    .filter(([listen]) => configuration.includes(listen))
    .map(([listen, port]) => [listen, `listen 127.0.0.1:${port}`]);
  const site = substitute(configuration, { ...Object.fromEntries(listening), ...replacements });
  writeFileSync(path.join(folder, 'site.conf'), site);
  writeFileSync(path.join(folder, 'nginx.conf'), surroundings(folder));
  return run('nginx', ['-e', 'stderr', '-p', folder, '-c', 'nginx.conf'], folder, httpPort, httpsPort);
}

/** Caddy with this configuration of sites, at free ports of this machine. */
export async function startCaddy(
  configuration: string,
  { certificate, certificateKey }: Upstreams,
  replacements: Record<string, string>,
  environment: Record<string, string> = {},
): Promise<RunningProxy> {
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-caddy-'));
  const [httpPort, httpsPort] = [await freePort(), await freePort()];
  const site = substitute(configuration, replacements).replaceAll(
    /^(?:[\w.]+|\{\$\w+\}) \{\n/gm,
    `$&\ttls ${certificate} ${certificateKey}\n`,
  );
  const ports = `http_port ${httpPort}\n\thttps_port ${httpsPort}\n\tdefault_bind 127.0.0.1`;
  writeFileSync(path.join(folder, 'Caddyfile'), `{\n\tadmin off\n\t${ports}\n}\n${site}`);
  const args = ['run', '--config', 'Caddyfile', '--adapter', 'caddyfile'];
  return run('caddy', args, folder, httpPort, httpsPort, environment);
}

/** nginx or Caddy with nothing but a service behind it, and without https. Returns its port. */
export async function startPlainProxy(
  program: 'nginx' | 'caddy',
  gatehousePort: number,
): Promise<{ port: number; stop(): Promise<void> }> {
  const folder = mkdtempSync(path.join(tmpdir(), `gatehouse-${program}-`));
  const port = await freePort();
  const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
  write(
    'site.conf',
    `server {\n listen 127.0.0.1:${port};\n location / { proxy_pass http://127.0.0.1:${gatehousePort}; }\n}\n`,
  );
  write('nginx.conf', surroundings(folder));
  write('Caddyfile', `{\n\tadmin off\n}\nhttp://:${port} {\n\treverse_proxy 127.0.0.1:${gatehousePort}\n}\n`);
  const args = {
    nginx: ['-e', 'stderr', '-p', folder, '-c', 'nginx.conf'],
    caddy: ['run', '--config', 'Caddyfile', '--adapter', 'caddyfile'],
  };
  const { stop } = await run(program, args[program], folder, 0, port);
  return { port, stop };
}

export const caddy = caddyWith('Caddyfile');
/** Caddy with the short configuration for a folder of files. */
export const caddyForFiles = caddyWith('static-site.Caddyfile');

/** The configuration of a guide, unchanged. */
export function readConfiguration(name: string): string {
  return readFileSync(path.join(configurations, name), 'utf8');
}

function caddyWith(name: string): ProxyProgram {
  return {
    name: 'Caddy',
    leftOut: () => isLeftOut('caddy', 'version'),
    start(upstreams, change = (configuration) => configuration) {
      const configuration = change(readConfiguration(name));
      return startCaddy(configuration, upstreams, behindTheProxy(upstreams, configuration));
    },
    withoutGate: (configuration) => {
      const open = configuration.replace(/\t\tforward_auth [\s\S]*?\n\t\t}\n/, '');
      if (open === configuration) throw new Error('The Caddyfile has no forward_auth.');
      return open;
    },
    withHost: (configuration, host) =>
      configuration + substitute(withoutSnippets(readConfiguration(name)), { [clubHostName]: host }),
    withSecondSite: (configuration) =>
      configuration +
      substitute(withoutSnippets(configuration), { [clubHostName]: openHostName, ...secondSite }),
  };
}

/** Parts of a Caddyfile for every site in it, which are there once. */
function withoutSnippets(configuration: string): string {
  return configuration.replaceAll(/^\(\w+\) \{\n[\s\S]*?\n\}\n/gm, '');
}

function behindTheProxy(
  { gatehousePort, appPort, site }: Upstreams,
  configuration: string,
): Record<string, string> {
  const app = { '127.0.0.1:3000': `127.0.0.1:${appPort}` };
  return {
    '127.0.0.1:8080': `127.0.0.1:${gatehousePort}`,
    '/srv/club': site,
    ...(/\bapp\b/.test(configuration) ? app : {}),
  };
}

/** The parts of nginx's main configuration around a site's configuration that are needed. */
function surroundings(folder: string): string {
  for (const name of ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']) mkdirSync(path.join(folder, name));
  // Only the owner can access the folders of a test.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  return `${user}
daemon off;
worker_processes 1;
pid nginx.pid;
events { worker_connections 512; }
http {
  types { text/html html; text/plain txt; }
  default_type application/octet-stream;
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  include ${folder}/site.conf;
}
`;
}

const clubHostName = 'club.example.org';
const openHostName = 'open.example.org';

/** The differences of the second site. */
const secondSite = {
  '/srv/club': '/srv/club/public',
  // No server listens there.
  '127.0.0.1:3000': '127.0.0.1:9',
};

/** The server of the site with https in nginx's configuration. */
function nginxServer(configuration: string): string {
  const start = 'server {\n    listen 443 ssl http2;';
  return configuration.slice(configuration.indexOf(start)).split(`\n${start}`)[0]!;
}

/** The server of a site for another host name. The certificate is valid for both. */
function withItsCertificate(server: string, host: string): string {
  const path = '/letsencrypt/live/';
  return substitute(server, { [clubHostName]: host }).replaceAll(path + host, path + clubHostName);
}

/** Replaces texts, but not in what was put in, such as a port; a missing text is an error. */
function substitute(text: string, replacements: Record<string, string>): string {
  const replaced = Object.keys(replacements).toSorted((one, other) => other.length - one.length);
  for (const from of replaced) {
    if (!text.includes(from)) throw new Error(`The configuration does not have: ${from}`);
  }
  const escaped = replaced.map((from) => from.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return text.replaceAll(new RegExp(escaped.join('|'), 'g'), (from) => replacements[from]!);
}

async function run(
  program: string,
  args: string[],
  folder: string,
  httpPort: number,
  httpsPort: number,
  environment: Record<string, string> = {},
): Promise<RunningProxy> {
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...environment, PATH: searchPath, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      output += data;
    });
  }
  // Reported below.
  child.on('error', () => {});
  const stop = async () => {
    await end(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await eventually(`${program} listens`, 15_000, () => {
      if (child.pid === undefined) throw new Error(`${program} is not installed.`);
      if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}:\n${output}`);
      return answers(httpsPort);
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { httpPort, httpsPort, stop };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

function isLeftOut(program: string, versionOption: string): boolean {
  const installed = !spawnSync(program, [versionOption], { env: { PATH: searchPath } }).error;
  if (installed || process.env.CI) return false;
  noteSkipped(`the gate behind ${program}, because it is not installed.`);
  return true;
}
