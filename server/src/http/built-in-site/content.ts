import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { GateResult } from '../../domain/access-rules/site-access.ts';
import type { VisitedSite } from '../../domain/sites/visited-site.ts';

/** A request to the site, from a visitor who has access to its path. */
export interface Visit extends GateResult {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The site at the address where it is visited. */
  readonly site: VisitedSite;
  /** The headers that tell a program who the visitor is. */
  readonly identity: Readonly<Record<string, string>>;
  /** The address of the visitor; undefined if a trusted proxy does not name it. */
  readonly ipAddress: string | undefined;
  /** Decides on another path for the same request. */
  check(target: string): Promise<GateResult>;
  /** Whether the same request would be allowed now, for the same visitor. @throws {StoreUnavailable} */
  isStillAllowed(): Promise<boolean>;
  /** Answers that the visitor has no access to another path. */
  deny(result: GateResult): Promise<void>;
}

/** Where the pages of the built-in site come from. */
export interface SiteContent {
  /** Whether it opens files itself, and does not pass paths on to a program. */
  readonly opensFiles: boolean;
  send(visit: Visit): Promise<void>;
  /** Whether a request opens a connection of another protocol that is passed on. */
  readonly upgrades: (request: IncomingMessage) => boolean;
  /** Passes on a WebSocket. The response is for the case that it cannot be opened. */
  upgrade?(visit: Visit, socket: Socket, head: Buffer): void;
  close(): void;
}

/**
 * Which caches may store a page. What is not public is only for the browser of its visitor, and no page is used again
 * without asking the gate.
 */
export function cacheControlOf({ decision }: GateResult): string {
  return decision.reason === 'public' ? 'no-cache' : 'private, no-cache';
}
