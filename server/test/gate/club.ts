import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AccessRule } from '@gatehouse/contract';
import { expect } from 'vitest';
import { WebSocketServer } from 'ws';
import { gatehouse as gatehouseCommand } from '../command-line.ts';
import { eventually, requestsWith } from '../faults/gatehouse-process.ts';
import { freePort } from '../free-port.ts';
import type { TestResponse } from '../test-server.ts';
import { type Mailbox, startMailbox } from './mailbox.ts';
import { isShownAt } from './page-names.ts';
import type { Upstreams } from './proxies.ts';
import { type Answer, type ProxiedSite, Visitor } from './visitor.ts';

const program = fileURLToPath(new URL('../../bin/gatehouse.js', import.meta.url));

export const clubHost = 'club.example.org';
/** Another site of the same Gatehouse, which is completely public. */
export const openHost = 'open.example.org';
export const forumHost = 'forum.example.net';
export const wwwHost = `www.${clubHost}`;
export const dashboardHost = 'gate.example.org';
const otherHosts = [forumHost, wwwHost, dashboardHost];

/** Requests to the API for one site. */
export type Api = (method: string, path: string, body?: unknown) => Promise<TestResponse>;

/** The request that the app behind the proxy received. */
export interface Echo {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** What rules may allow beyond what they say about visitors. */
export type RuleOptIns = Pick<AccessRule, 'preflights'>;

/** A club's website as in a guide, without the proxy: Gatehouse, a mail server, a static site and an app. */
export interface Club {
  readonly upstreams: Upstreams;
  readonly certificate: string;
  readonly mailbox: Mailbox;
  /** A text on every page and response except `/`, `/public`, `/app/public` and most of `/app/pages`. */
  readonly secret: string;
  readonly api: Api;
  readonly openApi: Api;
  setRules(...rules: AccessRule[]): Promise<void>;
  /** A member of the club, or of the other site. */
  createMember(email: string, fields?: object, api?: Api): Promise<string>;
  /** A new login link, without an email. */
  linkOf(memberId: string, api?: Api): Promise<string>;
  /** A new API key of the club. */
  createKey(permissions: string): Promise<string>;
  startGatehouse(): Promise<void>;
  stopGatehouse(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts everything behind the proxy. The site is set up with the commands of the guides.
 * @param optIns fields that every rule gets, such as `preflights`
 */
export async function startClub(
  optIns: RuleOptIns = {},
  otherSettings: Record<string, string> = {},
): Promise<Club> {
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-club-'));
  const secret = `not for anonymous visitors: ${randomBytes(8).toString('hex')}`;
  const site = path.join(folder, 'site');
  writeSite(site, secret);
  const [certificate, certificateKey] = makeCertificate(folder);
  const mailbox = await startMailbox();
  const app = await startApp(secret);
  const gatehousePort = await freePort();
  const address = `http://127.0.0.1:${gatehousePort}`;
  const settings = { ...settingsOf(folder, gatehousePort, mailbox), ...otherSettings };
  const gatehouse = new GatehouseProgram(settings);
  await gatehouse.start(address);
  const run = (...args: string[]) => runCommand(args, settings, folder);
  await run('site', 'update', 'main', '--domain', clubHost);
  await run('site', 'create', '--slug', 'open', '--domain', openHost);
  const permissions = 'members:read,members:write,access-groups:write,site:write,login-links:write';
  const createKey = async (slug: string, granted: string): Promise<string> => {
    const made = await run('key', 'create', '--site', slug, '--name', 'Test', '--permissions', granted);
    return /gate_\w+/.exec(made)![0];
  };
  const requests = async (slug: string): Promise<Api> => {
    const request = requestsWith(await createKey(slug, permissions), () => address);
    return async (method, target, body) => {
      const answer = (await request(method, target, body))!;
      expect(answer.status, answer.text).toBeLessThan(300);
      return answer;
    };
  };
  const [api, openApi] = [await requests('main'), await requests('open')];
  await openApi('PUT', '/access-rules', { rules: [{ path: '/', access: 'public' }] });
  return {
    upstreams: {
      gatehousePort,
      appPort: (app.address() as AddressInfo).port,
      site,
      certificate,
      certificateKey,
    },
    certificate: readFileSync(certificate, 'utf8'),
    mailbox,
    secret,
    api,
    openApi,
    setRules: async (...rules) =>
      void (await api('PUT', '/access-rules', { rules: rules.map((rule) => ({ ...optIns, ...rule })) })),
    createMember: async (email, fields = {}, of = api) =>
      (await of('POST', '/members', { email, ...fields })).body.data.id,
    linkOf: async (memberId, of = api) =>
      (await of('POST', `/members/${memberId}/login-links`, { send: false })).body.data.url,
    createKey: (granted) => createKey('main', granted),
    startGatehouse: () => gatehouse.start(address),
    stopGatehouse: () => gatehouse.stop(),
    stop: async () => {
      await gatehouse.stop();
      await mailbox.stop();
      app.closeAllConnections();
      app.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The settings of the guides, and those of the tests. */
function settingsOf(folder: string, port: number, mailbox: Mailbox): Record<string, string> {
  return {
    GATEHOUSE_DATABASE_URL: `sqlite:${path.join(folder, 'gatehouse.db')}`,
    GATEHOUSE_PORT: String(port),
    GATEHOUSE_PUBLIC_URL: `http://127.0.0.1:${port}`,
    GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1',
    GATEHOUSE_SMTP_URL: mailbox.url,
    GATEHOUSE_MAIL_FROM: 'office@club.example.org',
    // All visitors of a test have the same client address.
    GATEHOUSE_LOGIN_LIMIT_CLIENT: '0',
    GATEHOUSE_RATE_LIMIT: '0',
  };
}

/** Runs a command on the database of the club, beside the service. Returns its output. */
async function runCommand(args: string[], env: Record<string, string>, cwd: string): Promise<string> {
  const { exitCode, stdout, stderr } = await gatehouseCommand(args, { env, cwd });
  expect(exitCode, stderr).toBe(0);
  return stdout;
}

/** A path of the site, from a URL of it. */
export function targetOf(location: string | undefined, host = clubHost): string {
  const origin = `https://${host}`;
  const target = location?.startsWith(`${origin}/`) ? location.slice(origin.length) : location;
  expect(target).toMatch(/^\/(?!\/)/);
  return target!;
}

/** Opens a login link and submits its form. */
export async function followLink(visitor: Visitor, link: string, host = clubHost): Promise<Answer> {
  const opened = await visitor.get(targetOf(link, host));
  expect(opened.status).toBe(200);
  const pressed = await submit(visitor, opened);
  expect(pressed.status).toBe(303);
  return pressed;
}

/** A visitor who is logged in. */
export async function loggedIn(proxied: ProxiedSite, link: string): Promise<Visitor> {
  const visitor = new Visitor(proxied);
  await followLink(visitor, link, proxied.host);
  return visitor;
}

/** Submits the only form of a page, with its hidden fields and the given ones. */
export function submit(visitor: Visitor, page: Answer, fields: Record<string, string> = {}): Promise<Answer> {
  const [, form = '', inner = ''] = /<form([^>]*method="post"[^>]*)>([\s\S]*?)<\/form>/.exec(page.text) ?? [];
  const action = attribute(form, 'action');
  expect(action, page.text).toBeDefined();
  const hidden = [...inner.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([input]): [string, string] => [
    attribute(input, 'name')!,
    attribute(input, 'value') ?? '',
  ]);
  return visitor.post(targetOf(action), { ...Object.fromEntries(hidden), ...fields });
}

function attribute(tag: string, name: string): string | undefined {
  return new RegExp(`\\b${name}="([^"]*)"`)
    .exec(tag)?.[1]
    ?.replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** `./gatehouse serve` with the settings of a guide. */
class GatehouseProgram {
  readonly #environment: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;
  #output = '';

  constructor(settings: Record<string, string>) {
    const own = Object.entries(process.env).filter(
      ([name]) => !/^(GATEHOUSE_|VITEST|NODE_OPTIONS)/.test(name),
    );
    this.#environment = { ...Object.fromEntries(own), ...settings };
  }

  async start(address: string): Promise<void> {
    const child = spawn(process.execPath, [program, 'serve'], {
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data) => {
        this.#output += data;
      });
    }
    await eventually('Gatehouse is ready', 20_000, async () => {
      if (child.exitCode !== null) throw new Error(`Gatehouse ended:\n${this.#output}`);
      const answer = await fetch(`${address}/readyz`).catch(() => undefined);
      return answer?.ok;
    });
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
}

/** The pages of the static site. A page with several names exists under each. */
export function writeSite(folder: string, secret: string): void {
  const page = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), `<!doctype html><title>Club</title><p>${text}</p>\n`);
  };
  for (const name of ['index.html', 'public/index.html', 'public/news.html']) page(name, 'for everybody');
  const restricted = ['index.html', 'secret', 'news.html', 'a+b/été'].map((name) => `members/${name}`);
  const others = ['members.html', 'paying/index.html', 'course/index.html', 'empty/below/index.html'];
  const alike = ['_gatehouse-news/index.html', '_gatehouse.html', 'members/_gatehouse/index.html'];
  for (const name of [...restricted, ...others, ...alike]) page(name, secret);
}

/** A cookie of its own, and those with which it would log the visitor in as someone else. */
const cookiesOfApp = [
  'own=1; Path=/; Secure',
  '__Host-gatehouse_session=forged; Path=/; Secure; HttpOnly',
  '__HOST-Gatehouse_Edge=forged; Path=/; Secure',
];

/**
 * Responds with the received request and the secret, because its pages are for members only. It claims all paths for its
 * service workers, and may read windows with pages of the same policy.
 */
export async function startApp(secret: string): Promise<Server> {
  const app = createServer((request, response) => {
    const headers = request.rawHeaders.flatMap((name, index, all) =>
      index % 2 === 0 ? [[name, all[index + 1]!]] : [],
    );
    let body = '';
    request.setEncoding('utf8').on('data', (data) => {
      body += data;
    });
    request.on('end', () => {
      const echo = { method: request.method, url: request.url, headers, body, trailers: request.rawTrailers };
      const open = request.url!.startsWith('/app/public') || isOtherPage(request.url!);
      response.setHeader('Service-Worker-Allowed', '/');
      response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
      if (request.url === '/app/public/cookies') response.setHeader('Set-Cookie', cookiesOfApp);
      response.end(JSON.stringify(open ? echo : { ...echo, secret }));
    });
  });
  acceptUpgrades(app, secret);
  app.listen(0, '127.0.0.1');
  await once(app, 'listening');
  return app;
}

/** A page that is not for members, however a program looks for it. */
function isOtherPage(target: string): boolean {
  const isSecret = ['members', 'my-course'].some((page) => isShownAt(target, page));
  return target.startsWith('/app/pages/') && !isSecret;
}

/** WebSockets that say the secret and repeat messages. Other protocols say the secret at once. */
function acceptUpgrades(app: Server, secret: string): void {
  const webSockets = new WebSocketServer({ noServer: true });
  app.on('upgrade', (request, socket, head) => {
    if (!/^websocket$/i.test(request.headers.upgrade!)) {
      socket.end(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n${secret}`);
      return;
    }
    webSockets.handleUpgrade(request, socket, head, (opened) => {
      opened.send(JSON.stringify({ secret, user: request.headers['remote-user'] ?? '' }));
      opened.on('message', (message) => opened.send(String(message)));
    });
  });
}

/** A self-signed certificate for the hosts of the guides. */
export function makeCertificate(folder: string): [certificate: string, key: string] {
  const [certificate, key] = [path.join(folder, 'certificate.pem'), path.join(folder, 'key.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const names = [
    '-subj',
    `/CN=${clubHost}`,
    '-addext',
    `subjectAltName=${[clubHost, openHost, ...otherHosts].map((host) => `DNS:${host}`).join()}`,
  ];
  execFileSync(
    'openssl',
    ['req', '-x509', ...curve, ...names, '-days', '2', '-keyout', key, '-out', certificate],
    { stdio: 'ignore' },
  );
  return [certificate, key];
}
