import { createHmac } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SiteAccess } from '../../domain/access-rules/site-access.ts';
import { isSameSecret } from '../shared/credentials/same-secret.ts';
import type { TrustedProxies } from '../shared/requests/site-request.ts';
import type { VisitedHosts } from '../shared/requests/visited-host.ts';

export const selfCheckPath = '/_gatehouse/self-check';
/** Proves that a response comes from the service that doctor checks. */
export const proofHeader = 'x-gatehouse-proof';
export const settingsPath = '/_gatehouse/self-check/settings';

/** The service's view of a request that came through a proxy. */
export interface SeenRequest {
  /** The address that opened the connection: the proxy, if there is one. */
  readonly peer: string;
  /** Whether the peer is in `GATEHOUSE_TRUSTED_PROXIES`. */
  readonly isTrusted: boolean;
  /** The headers set by a proxy, as received, whether or not they are trusted. */
  readonly forwardedFor: string | null;
  readonly forwardedHost: string | null;
  readonly host: string | null;
  readonly ipAddress: string;
  /** The slug of the site for this host. */
  readonly site: string | null;
  /** Whether this process serves the pages of the site itself. */
  readonly isBuiltIn: boolean;
}

/** The settings for `./gatehouse doctor` on this machine, and the tokens that only it knows. */
export interface SelfCheck {
  readonly selfCheckToken: string;
  readonly settingsToken: string;
  /** Including their secrets. */
  readonly settings: object;
}

interface SelfCheckParts extends SelfCheck {
  readonly proxies: TrustedProxies;
  readonly visitedHosts: VisitedHosts;
  readonly siteAccess: SiteAccess;
  readonly isBuiltIn?: boolean;
}

/** Reports to `./gatehouse doctor` how its own request arrived. For all other clients these paths do not exist. */
export function addSelfCheck(
  server: FastifyInstance,
  {
    selfCheckToken,
    settingsToken,
    settings,
    proxies,
    visitedHosts,
    siteAccess,
    isBuiltIn = false,
  }: SelfCheckParts,
): void {
  server.get(selfCheckPath, async (request, reply) => {
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
      ipAddress: ip,
      site: (await siteAccess.siteAt(host))?.slug ?? null,
      isBuiltIn,
    };
    const payload = JSON.stringify(seen);
    return reply
      .headers({ 'cache-control': 'no-store', [proofHeader]: responseProof(selfCheckToken, nonce, payload) })
      .type('application/json')
      .send(payload);
  });
  // A site has nothing of its service on its own port.
  if (isBuiltIn) return;
  server.get(settingsPath, async (request, reply) => {
    if (!isSameSecret(request.headers.authorization ?? '', `Bearer ${settingsToken}`)) return notFound(reply);
    reply.header('cache-control', 'no-store');
    return settings;
  });
}

/**
 * The `Authorization` header of a self-check request. A domain may point to another server, so the token itself is
 * never sent.
 * @param nonce random, for this request only; 22 characters of base64url
 */
export function selfCheckAuthorization(token: string, nonce: string): string {
  return `Bearer ${nonce}.${hmac(token, `ask ${nonce}`)}`;
}

/** The expected value of `proofHeader` in a response. It cannot be computed without the token. */
export function responseProof(token: string, nonce: string, payload: string): string {
  return hmac(token, `answer ${nonce} ${payload}`);
}

function nonceOf({ headers }: FastifyRequest, token: string): string | undefined {
  const given = headers.authorization ?? '';
  const nonce = /^Bearer ([\w-]{22})\./.exec(given)?.[1];
  return nonce !== undefined && isSameSecret(given, selfCheckAuthorization(token, nonce)) ? nonce : undefined;
}

function hmac(token: string, text: string): string {
  return createHmac('sha256', token).update(text).digest('base64url');
}

function notFound(reply: FastifyReply): FastifyReply {
  reply.callNotFound();
  return reply;
}
