import { randomUUID } from 'node:crypto';
import { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { pathToFileURL } from 'node:url';
import {
  permissions as everyPermission,
  type LoginProvider,
  type OperatorRole,
  type Permission,
} from '@gatehouse/contract';
import { pino } from 'pino';
import sql from 'sql-template-tag';
import { inject } from 'vitest';
import { readSettings, type Settings } from '../src/app/settings/settings.ts';
import { type Gatehouse, startGatehouse } from '../src/app/start-gatehouse.ts';
import { systemContext } from '../src/base/change-context.ts';
import { type Clock, systemClock } from '../src/base/clock.ts';
import { newId } from '../src/base/ids.ts';
import { type CreatedApiKey, createApiKey, type NewApiKey } from '../src/domain/api-keys/api-keys.ts';
import type { EmailLimits } from '../src/domain/emails/email-budget.ts';
import { markFailed, selectEmail } from '../src/domain/emails/email-store.ts';
import type { Change } from '../src/domain/events/change.ts';
import { createMembers } from '../src/domain/members/new-members.ts';
import { insertRole } from '../src/domain/operators/operator-store.ts';
import type { StoredPageCode } from '../src/domain/page-codes/page-code.ts';
import type { NewCredential } from '../src/domain/passkeys/passkey.ts';
import { findOperatorTenant } from '../src/domain/sites/operator-tenant.ts';
import { createSite, findSite } from '../src/domain/sites/sites.ts';
import type { Database } from '../src/storage/database.ts';
import { openDatabase } from '../src/storage/open.ts';
import { changing } from './change.ts';
import { secretKey } from './secret-key.ts';
import { storeAnnouncedRequest, storeIdentity, storePageCode, storePasskey } from './stored-rows.ts';
import { lastingStore, type Store, stopInTheEnd } from './stores.ts';
import { testNetworks } from './workspace-settings.ts';

/** A response with its body read. */
export interface TestResponse {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any response
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

export interface VisitResponse {
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
  request(method: string, path: string, options?: TestRequest): Promise<TestResponse>;
  get(path: string, headers?: Record<string, string>): Promise<TestResponse>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<TestResponse>;
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<TestResponse>;
  delete(path: string, headers?: Record<string, string>): Promise<TestResponse>;
  /** The site's own domain, if it has one. */
  domain(): Promise<string | null>;
  /**
   * A visitor's request on the site's own domain, as an untrusted proxy would forward it. Does not follow redirects.
   */
  visit(method: string, path: string, options?: VisitOptions): Promise<VisitResponse>;
  /** Creates another key of the same site. */
  createKey(input?: Partial<NewApiKey>): Promise<CreatedApiKey>;
  /** Creates an operator of the site without sending an email. Returns the ID. */
  createOperator(role?: OperatorRole): Promise<string>;
  /** Makes an email that the mail server rejected out of one that was not sent. */
  failEmail(emailId: string, mailServerReply?: string | null): Promise<void>;
  /** Stores an account of a member at a provider, without a login there. */
  storeIdentity(memberId: string, provider: LoginProvider): Promise<void>;
  /** Stores a page code without what takes long, its hash, so that nobody can enter it. Returns the ID. */
  storePageCode(values?: Partial<StoredPageCode>): Promise<string>;
  /** Adds a passkey that no browser has. Returns the ID. */
  storePasskey(memberId: string, values?: Partial<NewCredential>): Promise<string>;
  /** Stores a request to join without the person who verifies the address, and without an email to operators. Returns the ID. */
  storeJoinRequest(): Promise<string>;
}

export interface TestServer {
  /** `http://127.0.0.1:<port>` */
  address: string;
  /** The port of the site that it serves, if it does. */
  sitePort: number | undefined;
  /** The address of the metrics, if they have one of their own. */
  metricsAddress: string | undefined;
  /** `<address>/api/v1` */
  apiUrl: string;
  databaseUrl: string;
  /** The same store, for checks and for data that no operation creates. */
  database: Database;
  /** Creates a site with a key that has every permission by default. */
  createSite(permissions?: readonly Permission[]): Promise<TestSite>;
  /** A site of another server, of whose database this one has a copy. */
  copyOf(site: TestSite): TestSite;
  stop(): Promise<void>;
}

export interface TestServerOptions {
  settings?: Partial<Settings>;
  clock?: Clock;
  dashboardFolder?: string;
  helpFolder?: string;
  /** An existing database instead of a fresh one. */
  databaseUrl?: string;
  /** Receives the lines of the log as JSON: warnings and errors, or those of `settings.logLevel`. */
  log?: (line: string) => void;
}

/** For tests that send one person more emails than the limits allow. */
export const noEmailLimits: EmailLimits = { mailbox: 0, sender: 0, signUp: 0, signUpMailbox: 0 };

/** Starts the whole service, like `./gatehouse serve`, on a fresh database and a free port; stops it after the file. */
export async function startTestServer(store: Store, options: TestServerOptions = {}): Promise<TestServer> {
  const server = await start(store, options);
  stopInTheEnd(server.stop);
  return server;
}

const shared = new Map<string, Promise<TestServer>>();

/** The shared server of this process on a store; it ends with the process. */
export function sharedTestServer({ name }: Store): Promise<TestServer> {
  const server = shared.get(name) ?? startLastingServer(name, {});
  shared.set(name, server);
  return server;
}

/** Starts the whole service for several test files of this process; it ends with the process. */
export function startLastingServer(storeName: string, options: TestServerOptions): Promise<TestServer> {
  return start(lastingStore(storeName), options);
}

async function start(store: Store, options: TestServerOptions): Promise<TestServer> {
  const databaseUrl = options.databaseUrl ?? (await store.migratedUrl());
  const clock = options.clock ?? systemClock;
  const builtEntry = inject('operationThreadEntry');
  const settings: Settings = {
    ...readSettings({}),
    databaseUrl,
    secretKeys: [secretKey],
    port: 0,
    sitePort: 0,
    rateLimit: 0,
    rateLimitUnauthenticated: 0,
    purgeIntervalSeconds: 3_600,
    allowedNetworks: testNetworks,
    ...options.settings,
  };
  const fatal = () => {
    throw new Error('the store is gone');
  };
  const gatehouse: Gatehouse = await startGatehouse(settings, {
    logger: options.log
      ? pino({ level: options.settings?.logLevel ?? 'warn' }, { write: options.log })
      : pino({ level: 'silent' }),
    clock,
    ...(builtEntry !== undefined && { operationThreadEntry: pathToFileURL(builtEntry) }),
    ...(options.dashboardFolder !== undefined && { dashboardFolder: options.dashboardFolder }),
    ...(options.helpFolder !== undefined && { helpFolder: options.helpFolder }),
    onFatal: fatal,
  });
  const database = openDatabase(databaseUrl, { poolSize: 2 });
  const apiUrl = `${gatehouse.address}/api/v1`;
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= gatehouse.stop().then(() => database.close());
    return stopped;
  };
  return {
    address: gatehouse.address,
    sitePort: gatehouse.siteAddress === undefined ? undefined : Number(new URL(gatehouse.siteAddress).port),
    metricsAddress: gatehouse.metricsAddress,
    apiUrl,
    databaseUrl,
    database,
    createSite: (permissions = everyPermission) => createTestSite(database, apiUrl, clock, permissions),
    copyOf: ({ siteId, keyId, key }) => testSite(database, apiUrl, clock, { siteId, keyId, key }),
    stop,
  };
}

async function createTestSite(
  database: Database,
  apiUrl: string,
  clock: Clock,
  permissions: readonly Permission[],
): Promise<TestSite> {
  const change = <T>(siteId: string, work: (change: Change) => Promise<T>) =>
    changing(database, siteId, work, systemContext(clock().toISOString()));
  const { id: siteId } = await change(newId(), (change) => createSite(change, { slug: `s-${randomUUID()}` }));
  const { apiKey, secret } = await change(siteId, (change) =>
    createApiKey(change, { name: 'Test key', permissions }),
  );
  return testSite(database, apiUrl, clock, { siteId, keyId: apiKey.id, key: secret });
}

function testSite(
  database: Database,
  apiUrl: string,
  clock: Clock,
  { siteId, keyId, key: secret }: Pick<TestSite, 'siteId' | 'keyId' | 'key'>,
): TestSite {
  const change = <T>(work: (change: Change) => Promise<T>) =>
    changing(database, siteId, work, systemContext(clock().toISOString()));
  const request = (method: string, path: string, options: TestRequest = {}) =>
    send(apiUrl + path, method, {
      ...options,
      headers: { authorization: `Bearer ${secret}`, ...options.headers },
    });
  const domain = async () => (await findSite({ db: database, siteId })).domain;
  return {
    siteId,
    dialect: database.dialect,
    key: secret,
    keyId,
    request,
    get: (path, headers = {}) => request('GET', path, { headers }),
    post: (path, body, headers = {}) => request('POST', path, { body, headers }),
    patch: (path, body, headers = {}) => request('PATCH', path, { body, headers }),
    delete: (path, headers = {}) => request('DELETE', path, { headers }),
    domain,
    visit: async (method, path, options = {}) => {
      const host = await domain();
      return visit(new URL(apiUrl).origin, method, path, {
        ...options,
        headers: { ...(host !== null && { host }), ...options.headers },
      });
    },
    createKey: (input = {}) => change((each) => createApiKey(each, { name: 'Test key', ...input })),
    createOperator: async (role = 'viewer') => (await createTestOperator(database, siteId, role)).id,
    failEmail: (emailId, mailServerReply = null) => failEmail(database, siteId, emailId, mailServerReply),
    storeIdentity: (memberId, provider) => change((each) => storeIdentity(each, memberId, provider)),
    storePageCode: (values) => change((each) => storePageCode(each, values)),
    storePasskey: (memberId, values) => change((each) => storePasskey(each, memberId, values)),
    storeJoinRequest: () => change(storeAnnouncedRequest),
  };
}

/** Makes an email that the mail server rejected out of one that was not sent. */
export function failEmail(
  database: Database,
  siteId: string,
  emailId: string,
  mailServerReply: string | null,
): Promise<void> {
  return database.transaction(async (tx) => {
    await tx.run(sql`UPDATE emails SET status = 'waiting' WHERE site_id = ${siteId} AND id = ${emailId}`);
    const { attempts } = (await selectEmail({ db: tx, siteId }, emailId))!;
    const failure = { reason: 'The mail server replied 550.', mailServerReply };
    await markFailed({ db: tx, siteId }, { id: emailId, attempts }, failure);
  });
}

/** An operator without a session: the id on the site, and the person. */
export async function createTestOperator(
  database: Database,
  siteId: string,
  role: OperatorRole,
  email = `o-${randomUUID()}@example.com`,
): Promise<{ id: string; personId: string }> {
  const tenant = await findOperatorTenant(database);
  return changing(database, tenant.id, async (change) => {
    const [person] = await createMembers(change, [{ email, displayName: null, paid: false }], []);
    const given = { id: newId(), personId: person!.id, role, invitedName: null, createdAt: change.now };
    await insertRole({ db: change.db, siteId }, given);
    return given;
  });
}

/** Sends a request like a browser, with any `Host`. */
export async function visit(
  origin: string,
  method: string,
  path: string,
  { headers = {}, form }: VisitOptions = {},
): Promise<VisitResponse> {
  const content = form && new URLSearchParams(form).toString();
  const type = form && { 'content-type': 'application/x-www-form-urlencoded' };
  const { response, text } = await exchange(
    new URL(origin),
    { method, path, headers: { ...type, ...headers } },
    content,
  );
  return { status: response.statusCode!, headers: response.headers, text };
}

/** Sends a request; a body that is not a string or bytes is sent as JSON. Does not follow redirects. */
export async function send(
  url: string,
  method: string,
  { body, headers = {} }: TestRequest = {},
): Promise<TestResponse> {
  const content = body === undefined ? undefined : contentOf(body);
  const described = content !== undefined && {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(content)),
  };
  const { response, text } = await exchange(
    new URL(url),
    { method, headers: { ...described, ...headers } },
    content,
  );
  return {
    status: response.statusCode!,
    headers: headersOf(response),
    body: text === '' ? undefined : parse(text),
    text,
  };
}

/** With `node:http`, because `fetch` takes twice as long for a small request. */
function exchange(
  url: URL,
  options: RequestOptions,
  content: string | Uint8Array | undefined,
): Promise<{ response: IncomingMessage; text: string }> {
  return new Promise((resolve, reject) => {
    const readText = (response: IncomingMessage) => {
      let text = '';
      response
        .setEncoding('utf8')
        .on('data', (part: string) => {
          text += part;
        })
        .on('error', reject)
        .on('end', () => resolve({ response, text }));
    };
    request(url, options, readText).on('error', reject).end(content);
  });
}

function contentOf(body: unknown): string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  return headers;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
