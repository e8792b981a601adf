import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Gatekeeper } from '../gate/gatekeeper.ts';
import type { TrustedProxies } from './site-request.ts';
import type { VisitedHosts } from './visited-host.ts';

export const selfCheckPath = '/_gatehouse/self-check';
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
    if (!mayAsk(request, selfCheckToken)) return notFound(reply);
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
    reply.header('cache-control', 'no-store');
    return seen;
  });
  server.get(settingsPath, { config: { uncounted: true } }, async (request, reply) => {
    if (!mayAsk(request, settingsToken)) return notFound(reply);
    reply.header('cache-control', 'no-store');
    return settings;
  });
}

function mayAsk({ headers }: FastifyRequest, token: string): boolean {
  return isSame(headers.authorization ?? '', `Bearer ${token}`);
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
