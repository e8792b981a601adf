import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Gatekeeper } from '../gate/gatekeeper.ts';
import type { TrustedProxies } from './site-request.ts';
import type { VisitedHosts } from './visited-host.ts';

export const selfCheckPath = '/_gatehouse/self-check';
/** Shows that an answer comes from the service that doctor means. */
export const proofHeader = 'x-gatehouse-proof';
export const settingsPath = '/_gatehouse/self-check/settings';

/** What the service sees of a request that came to it by way of a proxy. */
export interface SeenRequest {
  /** Whoever opened the connection: the proxy, where there is one. */
  readonly peer: string;
  /** Whether the peer is in `GATEHOUSE_TRUSTED_PROXIES`. */
  readonly isTrusted: boolean;
  /** The headers that a proxy sets, as they came, believed or not. */
  readonly forwardedFor: string | null;
  readonly forwardedHost: string | null;
  readonly host: string | null;
  readonly clientAddress: string;
  /** The slug of the site that answers at this host. */
  readonly site: string | null;
}

/** What `./gatehouse doctor` on this machine may ask for, and the tokens that only it knows. */
export interface SelfCheck {
  readonly selfCheckToken: string;
  readonly settingsToken: string;
  /** With their secrets. */
  readonly settings: object;
}

interface SelfCheckParts extends SelfCheck {
  readonly proxies: TrustedProxies;
  readonly visitedHosts: VisitedHosts;
  readonly gatekeeper: Gatekeeper;
}

/** Tells `./gatehouse doctor` how its own request arrived; to everybody else there is nothing at these paths. */
export function addSelfCheck(
  server: FastifyInstance,
  { selfCheckToken, settingsToken, settings, proxies, visitedHosts, gatekeeper }: SelfCheckParts,
): void {
  server.get(selfCheckPath, { config: { uncounted: true } }, async (request, reply) => {
    const nonce = nonceOf(request, selfCheckToken);
    if (nonce === undefined) return notFound(reply);
    const { raw, ip, headers } = request;
    const host = visitedHosts.hostOf(raw);
    const seen: SeenRequest = {
      peer: raw.socket.remoteAddress ?? '',
      isTrusted: proxies.sent(raw),
      forwardedFor: headers['x-forwarded-for']?.toString() ?? null,
      forwardedHost: headers['x-forwarded-host']?.toString() ?? null,
      host: host ?? null,
      clientAddress: ip,
      site: (await gatekeeper.siteAt(host))?.slug ?? null,
    };
    const payload = JSON.stringify(seen);
    return reply
      .headers({ 'cache-control': 'no-store', [proofHeader]: answerProof(selfCheckToken, nonce, payload) })
      .type('application/json')
      .send(payload);
  });
  server.get(settingsPath, { config: { uncounted: true } }, async (request, reply) => {
    if (!isSame(request.headers.authorization ?? '', `Bearer ${settingsToken}`)) return notFound(reply);
    reply.header('cache-control', 'no-store');
    return settings;
  });
}

/**
 * What `Authorization` has to be to ask for the self-check. A domain may lead to somebody else: the token itself never
 * leaves the machine.
 * @param nonce random, for this request alone; 22 characters of base64url
 */
export function selfCheckAuthorization(token: string, nonce: string): string {
  return `Bearer ${nonce}.${hmac(token, `ask ${nonce}`)}`;
}

/** What `proofHeader` of an answer has to be, so that nobody else can give it. */
export function answerProof(token: string, nonce: string, payload: string): string {
  return hmac(token, `answer ${nonce} ${payload}`);
}

function nonceOf({ headers }: FastifyRequest, token: string): string | undefined {
  const given = headers.authorization ?? '';
  const nonce = /^Bearer ([\w-]{22})\./.exec(given)?.[1];
  return nonce !== undefined && isSame(given, selfCheckAuthorization(token, nonce)) ? nonce : undefined;
}

function hmac(token: string, text: string): string {
  return createHmac('sha256', token).update(text).digest('base64url');
}

function notFound(reply: FastifyReply): FastifyReply {
  reply.callNotFound();
  return reply;
}

/** In the same time for every text, so that the token cannot be found piece by piece. */
function isSame(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(a!, b!);
}
