import type { VerifiedSession } from '../types.ts';
import type { Visit } from './gate.ts';

/** The parts of a Node request that the gate reads. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** The URL as received, if a framework has changed `url`. */
  readonly originalUrl?: string | undefined;
  readonly headers: { readonly cookie?: string | undefined };
}

export function toVisit({ method = '', url = '', originalUrl, headers }: NodeRequest): Visit {
  return {
    method,
    path: originalUrl ?? url,
    cookies: headers.cookie ?? '',
    header: (name) => headerOf(headers, name),
    headerNames: Object.keys(headers),
  };
}

function headerOf(headers: object, name: string): string | undefined {
  const value: unknown = Object.hasOwn(headers, name) ? headers[name as keyof typeof headers] : undefined;
  return value === undefined ? undefined : String(value);
}

/** The property that the gate sets on a request. */
export interface Gated {
  gatehouse?: VerifiedSession | undefined;
}

/** @throws Error if the request has not passed the gate */
export function readVisitor(visitor: VerifiedSession | undefined): VerifiedSession {
  if (visitor === undefined) throw new Error('This request has not passed the gate.');
  return visitor;
}
