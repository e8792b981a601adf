import { hash } from 'node:crypto';
import type { AccessDecision, Site } from '@gatehouse/contract';
import type { Timestamp } from '../../base/clock.ts';
import type { TokenSigner } from '../signing-keys/token-signer.ts';
import { type AccessTree, findUniformFolder } from './decision/access-tree.ts';
import { readPlainPath } from './decision/request-path.ts';

/** A decision for a visitor that a gate in a CDN worker may use again. */
export interface AllowedRequest {
  readonly site: Site;
  readonly tree: AccessTree;
  readonly decision: AccessDecision;
  readonly method: string;
  /** The path with its query. */
  readonly target: string;
  /** The value of the session cookie, whatever it is; null if there is none. */
  readonly cookie: string | null;
  /** The value of the pass on which access depends; null if it depends on no page code. */
  readonly pass: string | null;
  readonly memberId: string | undefined;
}

/** With a longer path, a token would not fit into a cookie. */
const maxTargetLength = 1_000;

/**
 * Signs an edge token, if the decision depends on nothing that the token does not contain. Null otherwise, and while
 * the site has no signing key.
 * @throws {StoreUnavailable}
 */
export async function signEdgeToken(
  signer: TokenSigner,
  request: AllowedRequest,
  now: Timestamp,
): Promise<string | null> {
  const { site, decision, method } = request;
  // A condition may end at any time, or depend on the address of the visitor.
  if (!decision.allowed || decision.rule?.access === 'conditional') return null;
  // It would have to be bound to more than the pass.
  if (request.pass !== null && decision.reason !== 'page_code') return null;
  // A worker reads paths more simply than what they are passed on to.
  if (decision.rule?.programPaths) return null;
  if ((method !== 'GET' && method !== 'HEAD') || request.target.length > maxTargetLength) return null;
  if (site.domain === null) return null;
  const key = await signer.currentKey(site.id, now);
  if (!key) return null;
  const claims = {
    aud: site.domain,
    ...visitorOf(request),
    ...scopeOf(request),
  };
  return signer.sign(key, site.id, 'edge', claims, now);
}

/** The visitors for whom the token is: everyone with the pass, or the one with the session. */
function visitorOf({ cookie, pass, memberId }: AllowedRequest) {
  if (pass !== null) return { pass: hashCookie(pass) };
  return {
    ...(memberId !== undefined && { sub: memberId }),
    ...(cookie !== null && { session: hashCookie(cookie) }),
  };
}

/**
 * The pages that the token is for: this one only, or everything below a folder. No rule may be for a part of the folder,
 * so that the same rule decides about each path in it.
 */
function scopeOf({ tree, target }: AllowedRequest): { page: string } | { folder: string } {
  const path = readPlainPath(target);
  const depth = path && findUniformFolder(tree, path);
  if (path === undefined || depth === undefined) return { page: target };
  return {
    folder: `/${path
      .slice(0, depth)
      .map((name) => `${name}/`)
      .join('')}`,
  };
}

/** Not the hash that is stored for the session. */
function hashCookie(cookie: string): string {
  return hash('sha256', `gatehouse edge token\n${cookie}`, 'base64url');
}
