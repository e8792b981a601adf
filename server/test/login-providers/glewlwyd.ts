import { spawn, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { eventually } from '../faults/gatehouse-process.ts';
import { freePort } from '../free-port.ts';
import { noteSkipped } from '../skipped.ts';

/** The tables of an empty installation, from the package of Debian. */
const schemaFile = '/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3';
const modules = '/usr/lib/glewlwyd';
/** The account of every new installation, which may change everything. */
const firstAccount = ['admin', 'password'] as const;
const password = 'a password of the tests';

/** A person in Glewlwyd. */
export interface Person {
  readonly name: string;
  readonly email: string;
  readonly isVerified: boolean;
}

export interface Client {
  readonly id: string;
  readonly secret: string;
  readonly redirectUri: string;
}

export type Glewlwyd = Awaited<ReturnType<typeof startGlewlwyd>>;

export function lacksGlewlwyd(): boolean {
  if (process.env.CI || !spawnSync('glewlwyd', ['--version']).error) return false;
  noteSkipped('logins with Glewlwyd, because it is not installed.');
  return true;
}

/** Starts Glewlwyd with OpenID Connect, set up by its API. */
export async function startGlewlwyd() {
  const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-glewlwyd-'));
  const port = await freePort();
  const api = `http://127.0.0.1:${port}/api`;
  createDatabase(path.join(folder, 'glewlwyd.db'));
  writeFileSync(path.join(folder, 'glewlwyd.conf'), settingsOf(folder, port));
  const child = spawn('glewlwyd', [`--config-file=${path.join(folder, 'glewlwyd.conf')}`], {
    stdio: 'ignore',
  });
  const stop = async () => {
    if (child.exitCode === null && child.kill()) await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await eventually('Glewlwyd listens', 15_000, () =>
      fetch(`${api}/auth/`).then(
        () => true,
        () => false,
      ),
    );
    const cookie = await logIn(api, ...firstAccount);
    await send(cookie, 'POST', `${api}/mod/plugin/`, pluginOf(`${api}/oidc`));
    return { issuer: `${api}/oidc`, stop, ...actionsOf(api, cookie) };
  } catch (error) {
    await stop();
    throw error;
  }
}

function actionsOf(api: string, cookie: string) {
  return {
    addClient: ({ id, secret, redirectUri }: Client) =>
      send(cookie, 'POST', `${api}/client/`, {
        client_id: id,
        name: 'Gatehouse',
        confidential: true,
        enabled: true,
        password: secret,
        redirect_uri: [redirectUri],
        authorization_type: ['code'],
        token_endpoint_auth_method: ['client_secret_basic'],
        scope: ['openid'],
      }),

    /** Adds a person who lets a client know who they are. Returns the cookie with which they are logged in. */
    async addPerson(clientId: string, { name, email, isVerified }: Person): Promise<string> {
      const scope = ['openid', 'g_profile'];
      const verified = isVerified ? '1' : '0';
      const person = {
        username: name,
        name,
        email,
        password,
        enabled: true,
        scope,
        'verified-email': verified,
      };
      await send(cookie, 'POST', `${api}/user/`, person);
      const own = await logIn(api, name, password);
      await send(own, 'PUT', `${api}/auth/grant/${clientId}/`, { scope: 'openid' });
      return own;
    },
  };
}

/** Opens a page of Glewlwyd as somebody who is logged in. Returns where it sends the browser back to. */
export async function continueAt(page: string, cookie: string): Promise<URL> {
  const response = await fetch(`${page}&g_continue`, { redirect: 'manual', headers: { cookie } });
  return new URL(response.headers.get('location')!);
}

async function logIn(api: string, username: string, secret: string): Promise<string> {
  const response = await send('', 'POST', `${api}/auth/`, { username, password: secret });
  return response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
}

async function send(cookie: string, method: string, url: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json', cookie };
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return response;
}

/** An installation whose people have a property for whether their email address is verified. */
function createDatabase(file: string): void {
  const schema = readFileSync(schemaFile, 'utf8');
  const known = '"data-format":{"picture":';
  if (!schema.includes(known)) throw new Error(`${schemaFile} is not as expected.`);
  const property = '"verified-email":{"multiple":false,"read":true,"write":true}';
  const database = new DatabaseSync(file);
  database.exec(schema.replace(known, `"data-format":{${property},"picture":`));
  database.close();
}

function settingsOf(folder: string, port: number): string {
  return `port = ${port}
bind_address = "127.0.0.1"
external_url = "http://127.0.0.1:${port}"
login_url = "login.html"
api_prefix = "api"
log_mode = "file"
log_level = "WARNING"
log_file = "${folder}/glewlwyd.log"
cookie_domain = "127.0.0.1"
cookie_secure = 0
session_key = "GLEWLWYD2_SESSION_ID"
admin_scope = "g_admin"
profile_scope = "g_profile"
user_module_path = "${modules}/user"
user_middleware_module_path = "${modules}/user_middleware"
client_module_path = "${modules}/client"
user_auth_scheme_module_path = "${modules}/scheme"
plugin_module_path = "${modules}/plugin"
hash_algorithm = "SHA512"
database = { type = "sqlite3"; path = "${folder}/glewlwyd.db"; };
`;
}

function pluginOf(issuer: string): object {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const verified = {
    name: 'email_verified',
    'user-property': 'verified-email',
    type: 'boolean',
    'boolean-value-true': '1',
    'boolean-value-false': '0',
    mandatory: true,
    scope: [],
  };
  const parameters = {
    iss: issuer,
    'jwt-type': 'rsa',
    'jwt-key-size': '256',
    key: privateKey,
    cert: publicKey,
    'access-token-duration': 3600,
    'refresh-token-duration': 3600,
    'code-duration': 600,
    'auth-type-code-enabled': true,
    'auth-type-id-token-enabled': true,
    'auth-type-refresh-enabled': true,
    'subject-type': 'public',
    'email-claim': 'mandatory',
    'pkce-allowed': true,
    'pkce-required': true,
    claims: [verified],
    scope: [],
    'additional-parameters': [],
  };
  return { module: 'oidc', name: 'oidc', display_name: 'OpenID Connect', parameters };
}
