import type { VerifiedSession } from '../types.ts';
import type { Visit } from './gate.ts';

/** The parts of a request of Node that the gate reads. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** The URL as it was received, where a framework has changed `url`. */
  readonly originalUrl?: string | undefined;
  readonly headers: { readonly cookie?: string | undefined; readonly accept?: string | undefined };
}

export function toVisit({ method = '', url = '', originalUrl, headers }: NodeRequest): Visit {
  return { method, path: originalUrl ?? url, cookies: headers.cookie ?? '', accept: headers.accept ?? '' };
}

/** What the gate leaves on a request that it has judged. */
export interface Gated {
  gatehouse?: VerifiedSession | undefined;
}

/** @throws Error when the gate has not been asked */
export function readVisitor(visitor: VerifiedSession | undefined): VerifiedSession {
  if (visitor === undefined) throw new Error('This request has not been through the gate.');
  return visitor;
}
