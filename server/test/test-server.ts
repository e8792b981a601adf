import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { permissions as everyPermission, type OperatorRole, type Permission } from '@gatehouse/contract';
import { pino } from 'pino';
import { systemCause } from '../src/base/cause.ts';
import { type Clock, systemClock } from '../src/base/clock.ts';
import type { EmailLimits } from '../src/base/email-limits.ts';
import { type Gatehouse, startGatehouse } from '../src/commands/gatehouse.ts';
import { readSettings, type Settings } from '../src/commands/settings.ts';
import { addPeople } from '../src/members/new-members.ts';
import { insertRole } from '../src/operators/operator-store.ts';
import { findOperatorsRealm } from '../src/operators/operators-realm.ts';
import { type CreatedApiKey, createApiKey, type NewApiKey } from '../src/sites/api-keys.ts';
import { createSite, findSite } from '../src/sites/sites.ts';
import type { Database } from '../src/storage/database.ts';
import { openDatabase } from '../src/storage/open.ts';
import { type Store, stopInTheEnd } from './stores.ts';

/** An answer with its body read. */
export interface TestAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever came back
  body: any;
  text: string;
}

export interface TestRequest {
  body?: unknown;
  headers?: Record<string, string>;
}

export interface VisitOptions {
  headers?: Record<string, string>;
  /** The fields of a form. */
  form?: Record<string, string>;
}

export interface VisitAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** A site with a key, and requests made with it. */
export interface TestSite {
  siteId: string;
  dialect: Database['dialect'];
  key: string;
  keyId: string;
  request(method: string, path: string, options?: TestRequest): Promise<TestAnswer>;
  get(path: string, headers?: Record<string, string>): Promise<TestAnswer>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
  delete(path: string, headers?: Record<string, string>): Promise<TestAnswer>;
  /** A visitor's request on the site's own domain, as a proxy without trust would pass it on. Follows no redirect. */
  visit(method: string, path: string, options?: VisitOptions): Promise<VisitAnswer>;
  /** Another key of the same site. */
  createKey(input?: Partial<NewApiKey>): Promise<CreatedApiKey>;
  /** An operator of the site, to whom no mail was sent. Gives the id. */
  createOperator(role?: OperatorRole): Promise<string>;
}

export interface TestServer {
  /** `http://127.0.0.1:<port>` */
  address: string;
  /** `<address>/api/v1` */
  apiUrl: string;
  databaseUrl: string;
  /** The same store, for looking at it and for what has no operation. */
  database: Database;
  /** A site with a key that carries every permission unless told otherwise. */
  createSite(permissions?: readonly Permission[]): Promise<TestSite>;
  stop(): Promise<void>;
}

export interface TestServerOptions {
  settings?: Partial<Settings>;
  clock?: Clock;
  dashboardFolder?: string;
  /** An existing database instead of a fresh one. */
  databaseUrl?: string;
}

/** For tests that send one person more than anybody would. */
export const noEmailLimits: EmailLimits = { mailbox: 0, sender: 0, signUp: 0, signUpMailbox: 0 };

/** Starts the whole service, as `./gatehouse serve` does, on a fresh database and a free port; stops it after the file. */
export async function startTestServer(store: Store, options: TestServerOptions = {}): Promise<TestServer> {
  const databaseUrl = options.databaseUrl ?? (await store.freshUrl());
  const clock = options.clock ?? systemClock;
  const settings: Settings = {
    ...readSettings({}),
    databaseUrl,
    port: 0,
    rateLimit: 0,
    rateLimitUnauthenticated: 0,
    housekeepingIntervalSeconds: 3_600,
    ...options.settings,
  };
  const fatal = () => {
    throw new Error('the store is gone');
  };
  const gatehouse: Gatehouse = await startGatehouse(settings, {
    logger: pino({ level: 'silent' }),
    clock,
    ...(options.dashboardFolder !== undefined && { dashboardFolder: options.dashboardFolder }),
    onFatal: fatal,
  });
  const database = openDatabase(databaseUrl, { poolSize: 2 });
  const apiUrl = `${gatehouse.address}/api/v1`;
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= gatehouse.stop().then(() => database.close());
    return stopped;
  };
  stopInTheEnd(stop);
  return {
    address: gatehouse.address,
    apiUrl,
    databaseUrl,
    database,
    createSite: (permissions = everyPermission) => createTestSite(database, apiUrl, clock, permissions),
    stop,
  };
}

async function createTestSite(
  database: Database,
  apiUrl: string,
  clock: Clock,
  permissions: readonly Permission[],
): Promise<TestSite> {
  const cause = systemCause(clock().toISOString());
  const createKey = (siteId: string, input: Partial<NewApiKey>) =>
    database.transaction((tx) => createApiKey(tx, siteId, { name: 'Test key', ...input }, cause));
  const site = await database.transaction((tx) => createSite(tx, { slug: `s-${randomUUID()}` }, cause));
  const { apiKey, secret } = await createKey(site.id, { permissions });

  const request = (method: string, path: string, options: TestRequest = {}) =>
    send(apiUrl + path, method, {
      ...options,
      headers: { authorization: `Bearer ${secret}`, ...options.headers },
    });
  return {
    siteId: site.id,
    dialect: database.dialect,
    key: secret,
    keyId: apiKey.id,
    request,
    get: (path, headers = {}) => request('GET', path, { headers }),
    post: (path, body, headers = {}) => request('POST', path, { body, headers }),
    patch: (path, body, headers = {}) => request('PATCH', path, { body, headers }),
    delete: (path, headers = {}) => request('DELETE', path, { headers }),
    visit: async (method, path, options = {}) => {
      const { domain } = await findSite(database, site.id);
      return visit(new URL(apiUrl).origin, method, path, {
        ...options,
        headers: { ...(domain === null ? {} : { host: domain }), ...options.headers },
      });
    },
    createKey: (input = {}) => createKey(site.id, input),
    createOperator: (role = 'viewer') => createTestOperator(database, site.id, role),
  };
}

/** An operator who has no session yet. Gives the id. */
export async function createTestOperator(
  database: Database,
  siteId: string,
  role: OperatorRole,
  email = `o-${randomUUID()}@example.com`,
): Promise<string> {
  const cause = systemCause(new Date().toISOString());
  return database.transaction(async (tx) => {
    const realm = await findOperatorsRealm(tx);
    const person = { email, displayName: null, paid: false };
    const [operator] = await addPeople(tx, realm.id, [person], [], cause);
    await insertRole(tx, siteId, operator!.id, role, null, cause.at);
    return operator!.id;
  });
}

/** Sends what a browser would, with any `Host`. */
export async function visit(
  origin: string,
  method: string,
  path: string,
  { headers = {}, form }: VisitOptions = {},
): Promise<VisitAnswer> {
  const body = form && new URLSearchParams(form).toString();
  const type = form && { 'content-type': 'application/x-www-form-urlencoded' };
  const sent = request(new URL(origin), { method, path, headers: { ...type, ...headers } }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode!, headers: response.headers, text: await text(response) };
}

/** Sends a request; a body that is no string or bytes goes as JSON. */
export async function send(
  url: string,
  method: string,
  { body, headers = {} }: TestRequest = {},
): Promise<TestAnswer> {
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : parse(text),
    text,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
