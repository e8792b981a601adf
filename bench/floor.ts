import { hash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { sqlitePath } from '../server/src/storage/database-url.ts';
import { bareWrites } from './floor-writes.ts';

// The best that Node can do for the same work: plain node:http, the same rows from prepared statements, the same
// SHA-256 of the API key, the same headers, JSON.stringify; no validation, no error handling, nothing else that a
// server needs.

const prefix = '/api/v1/members';
const pageSize = 50;
const path = sqlitePath(process.env.FLOOR_DATABASE_URL!);

const database = new DatabaseSync(path, { readOnly: true });
database.exec('PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY');
const columns =
  'id, email, display_name, status, verified, paid, registered_at, last_login_at, created_at, updated_at';
const selectMember = database.prepare(`SELECT ${columns} FROM members WHERE site_id = ? AND id = ?`);
// The index is named explicitly, because SQLite's planner may otherwise scan a whole site.
const selectGroups = database.prepare(`
  SELECT g.id, g.name FROM memberships m INDEXED BY memberships_by_member CROSS JOIN access_groups g
  WHERE g.site_id = m.site_id AND g.id = m.group_id AND m.site_id = ? AND m.member_id = ?
    AND (m.expires_at IS NULL OR m.expires_at > ?)
  ORDER BY g.name`);
const selectPage = database.prepare(
  `SELECT ${columns} FROM members WHERE site_id = ? ORDER BY id DESC LIMIT ${pageSize + 1}`,
);
// Rows as arrays cost half as much as rows as objects.
selectMember.setReturnArrays(true);
selectPage.setReturnArrays(true);

interface Key {
  readonly siteId: string;
  windowEnds: number;
  used: number;
}

const keys = new Map<string, Key>();
for (const row of database.prepare('SELECT hash, site_id FROM api_keys').all()) {
  keys.set(row.hash as string, { siteId: row.site_id as string, windowEnds: 0, used: 0 });
}

const limit = 1_000_000_000;
const windowMilliseconds = 60_000;
const limitText = String(limit);
const policy = `"default";q=${limit};w=60`;

const writes = bareWrites(path);

createServer((request, response) => {
  const url = request.url!;
  if (url === '/healthz') return void response.end('{"status":"ok"}');
  if (url.startsWith('/bare/')) return writes.respond(url, response);
  const key = keys.get(hash('sha256', request.headers.authorization!.slice(7), 'hex'))!;
  if (url.charCodeAt(prefix.length) === 0x2f) respondWithMember(request, response, key, url);
  else respondWithPage(request, response, key, url);
}).listen(Number(process.env.FLOOR_PORT), '127.0.0.1');

function respondWithMember(request: IncomingMessage, response: ServerResponse, key: Key, url: string): void {
  const id = url.slice(prefix.length + 1);
  const member = toMember(selectMember.get(key.siteId, id) as unknown as Row);
  const accessGroups = selectGroups.all(key.siteId, id, new Date().toISOString());
  const payload = JSON.stringify({ data: { ...member, accessGroups } });
  send(request, response, key, payload, 'etag', `"${hash('sha1', payload, 'base64url')}"`);
}

function respondWithPage(request: IncomingMessage, response: ServerResponse, key: Key, url: string): void {
  const rows = selectPage.all(key.siteId) as unknown as Row[];
  const hasMore = rows.length > pageSize;
  if (hasMore) rows.pop();
  const data = rows.map(toMember);
  const nextCursor = hasMore ? data.at(-1)!.id : null;
  const payload = JSON.stringify({ data, pagination: { hasMore, nextCursor } });
  send(request, response, key, payload, 'link', `<http://localhost${url}&after=${nextCursor}>; rel="next"`);
}

type Row = readonly (string | number | null)[];

function toMember(row: Row) {
  return {
    id: row[0],
    email: row[1],
    displayName: row[2],
    status: row[3],
    verified: row[4] === null ? null : row[4] === 1,
    paid: row[5] === null ? null : row[5] === 1,
    registeredAt: row[6],
    lastLoginAt: row[7],
    createdAt: row[8],
    updatedAt: row[9],
  };
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  key: Key,
  payload: string,
  headerName: string,
  headerValue: string,
): void {
  const now = Date.now();
  if (now >= key.windowEnds) {
    key.windowEnds = now + windowMilliseconds;
    key.used = 0;
  }
  key.used += 1;
  const remaining = limit - key.used;
  response.writeHead(200, [
    'cache-control',
    'no-store',
    'content-security-policy',
    "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy',
    'same-origin',
    'referrer-policy',
    'no-referrer',
    'x-content-type-options',
    'nosniff',
    'x-request-id',
    (request.headers['x-request-id'] as string | undefined) ?? randomUUID(),
    'x-ratelimit-limit',
    limitText,
    'x-ratelimit-remaining',
    String(remaining),
    'x-ratelimit-reset',
    String(Math.ceil(key.windowEnds / 1_000)),
    'ratelimit-policy',
    policy,
    'ratelimit',
    `"default";r=${remaining};t=${Math.ceil((key.windowEnds - now) / 1_000)}`,
    headerName,
    headerValue,
    'content-type',
    'application/json; charset=utf-8',
    'content-length',
    String(Buffer.byteLength(payload)),
  ]);
  response.end(payload);
}

process.once('SIGTERM', () => process.exit(0));
