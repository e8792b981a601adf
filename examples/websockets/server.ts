// A program with WebSockets behind the gate. The proxy checks only the request that opens a connection, so this program
// closes connections when the access of their member may have ended. Browsers then connect again, through the gate.

import { createServer } from 'node:http';
import { Gatehouse } from '@gatehouse/client';
import { type WebSocket, WebSocketServer } from 'ws';

const { GATEHOUSE_URL: url = 'http://localhost:8080', GATEHOUSE_KEY: key = '', PORT = '3000' } = process.env;
/** Browsers send the cookies of a visitor also for pages of other subdomains, which must not open a connection. */
const { SITE_ORIGIN: siteOrigin = 'https://club.example.org' } = process.env;
/** The end of a session by its time, and of a rule's time, have no event. */
const maxAgeMilliseconds = 3_600_000;
/** "Service restart" (RFC 6455, section 7.4): clients should connect again. */
const reconnect = 1012;

const gatehouse = new Gatehouse({ url, key });
const connections = new Map<WebSocket, { memberId: string; openedAt: number }>();

const server = createServer((_, response) => response.writeHead(426).end('Open a WebSocket.\n'));
const verifyClient = ({ origin }: { origin: string }) => origin === siteOrigin;
new WebSocketServer({ server, verifyClient }).on('connection', (socket, { headers }) => {
  // Only Gatehouse sets this header; the proxy removes one that a visitor sends.
  connections.set(socket, { memberId: String(headers['remote-user'] ?? ''), openedAt: Date.now() });
  socket.on('close', () => connections.delete(socket));
  socket.on('error', () => socket.terminate());
  socket.on('message', (message) => {
    for (const other of connections.keys()) other.send(String(message));
  });
  socket.send(`Welcome, ${decodeURIComponent(String(headers['remote-name'] || 'visitor'))}.`);
});
server.listen(Number(PORT), '127.0.0.1', () => console.log('ready'));

setInterval(() => closeWhere(({ openedAt }) => Date.now() - openedAt > maxAgeMilliseconds), 60_000);

/** After these events, a member may have lost access. */
const ofMembers: ReadonlySet<string> = new Set([
  'session.revoked',
  'session.evicted',
  'member.updated',
  'member.blocked',
  'member.deleted',
  'access-group.member.updated',
  'access-group.member.removed',
  'access-group.member.expired',
]);
/** After these, anyone may. */
const ofEverybody: ReadonlySet<string> = new Set([
  'access-rules.updated',
  'access-group.deleted',
  'site.updated',
]);

const since = new Date().toISOString();
for await (const { type, data } of gatehouse.events.follow({ since, intervalMilliseconds: 1_000 })) {
  const member = ofMembers.has(type) && 'memberId' in data ? data.memberId : undefined;
  if (member !== undefined || ofEverybody.has(type)) {
    closeWhere(({ memberId }) => member === undefined || memberId === member);
  }
}

function closeWhere(matches: (connection: { memberId: string; openedAt: number }) => boolean): void {
  for (const [socket, connection] of connections) if (matches(connection)) socket.close(reconnect);
}
