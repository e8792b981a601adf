import type { Gatehouse } from '../gatehouse.ts';
import type { VerifiedSession } from '../types.ts';
import {
  accessDenied,
  type GateAnswer,
  invalidPath,
  loginRequired,
  misdirected,
  shutToAll,
  toAnswer,
  toRedirect,
  unavailable,
} from './answer.ts';
import { readSessionToken } from './session-cookie.ts';

/** What every gate takes. */
export interface GateOptions {
  /** For a site without https, as on your own machine: its session cookie is `gatehouse_session`. */
  insecure?: boolean | undefined;
  /** Told why Gatehouse could not be asked. Written to the console when left out. */
  onError?: ((error: unknown) => void) | undefined;
}

/** The parts of a request that the gate goes by. */
export interface Visit {
  readonly method: string;
  /** With its query, as it was received. */
  readonly path: string;
  readonly cookies: string;
  readonly accept: string;
}

export type Verdict =
  | { readonly open: true; readonly visitor: VerifiedSession }
  /** `visitor` is there when somebody is logged in who may not see this. */
  | { readonly open: false; readonly answer: GateAnswer; readonly visitor: VerifiedSession | undefined };

/** The most that a visitor is kept waiting, every try included. */
const longestWaitMilliseconds = 5_000;
const retryAfterSeconds = 5;
/** The longest path that Gatehouse decides on. */
const longestPath = 4_096;
/** What a request may ask for (RFC 3986, section 3.3 and 3.4, and what browsers leave as it is). Anything else, programs read in different ways. */
const readablePath = /^\/[\x21\x22\x24-\x3e\x40-\x5b\x5d-\x7e]*(\?[\x21\x22\x24-\x7e]*)?$/;

/** Asks Gatehouse whether a request may pass. Whatever goes wrong, it may not. */
export async function judge(gatehouse: Gatehouse, visit: Visit, options: GateOptions): Promise<Verdict> {
  const path = visit.path.length > longestPath ? visit.path.split('?', 1)[0]! : visit.path;
  if (path.length > longestPath || !readablePath.test(path))
    return shut(toAnswer(invalidPath, isPage(visit)));
  // Sent to log in from here, a visitor would come back here.
  if (/^\/_gatehouse(\/|\?|$)/.test(path)) return shut(toAnswer(misdirected, isPage(visit)));
  try {
    const cookieName = options.insecure ? 'gatehouse_session' : '__Host-gatehouse_session';
    const token = readSessionToken(visit.cookies, cookieName);
    const signal = AbortSignal.timeout(longestWaitMilliseconds);
    return decide(await gatehouse.sessions.verify({ token, path }, { signal }), visit);
  } catch (error) {
    (options.onError ?? report)(error);
    const headers = { 'retry-after': String(retryAfterSeconds) };
    return shut(toAnswer(unavailable, isPage(visit), headers));
  }
}

function decide(visitor: VerifiedSession, visit: Visit): Verdict {
  const { access, member, loginUrl } = visitor;
  if (access === null) throw new Error('Gatehouse did not say whether the path is open.');
  if (access.allowed === true) return { open: true, visitor };
  if (member !== null) return { ...shut(toAnswer(accessDenied, isPage(visit))), visitor };
  // To log in would change nothing.
  if (['blocked', 'ambiguous_path', 'site_suspended'].includes(access.reason)) {
    return shut(toAnswer(shutToAll, isPage(visit)));
  }
  return shut(
    isPage(visit) && loginUrl !== null ? toRedirect(loginUrl) : toAnswer(loginRequired, isPage(visit)),
  );
}

function shut(answer: GateAnswer): Extract<Verdict, { open: false }> {
  return { open: false, answer, visitor: undefined };
}

/** Whether a person goes to a page, so that a redirect leads somewhere. */
function isPage({ method, accept }: Visit): boolean {
  return (method === 'GET' || method === 'HEAD') && /\btext\/html\b/i.test(accept);
}

function report(error: unknown): void {
  console.error('Gatehouse could not be asked, so the gate stays shut.', error);
}
