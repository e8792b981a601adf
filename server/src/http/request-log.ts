import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { addressBucket } from './rate-limit.ts';

const windowSeconds = 60;
/** Lines in one window: of one key or operator, of one client address without either, and of all such addresses. */
const maxLinesPerCaller = 1_000;
const maxLinesPerAddress = 100;
const maxAnonymousLines = 600;

declare module 'fastify' {
  interface FastifyInstance {
    requestLog: RequestLog;
  }
}

/** What is known of a refused request. Nothing here is a secret or names a person. */
interface RefusedRequest {
  readonly requestId: string;
  readonly method?: string;
  readonly path?: string;
  readonly status: number;
  readonly code?: string;
  readonly siteId?: string;
  readonly keyId?: string;
  readonly operatorId?: string;
  readonly clientAddress: string;
}

/**
 * A line for each request that was refused (4xx), so that the request id of an error leads to it. A flood cannot fill the
 * disk: the lines of each sender in a minute are bounded, and of what went over a rate limit only the first is written.
 * What was left out is counted.
 */
export class RequestLog {
  readonly #logger: FastifyBaseLogger;
  readonly #lines = new Map<string, number>();
  readonly #limited = new Set<string>();
  readonly #omitted = new Map<string, number>();
  #anonymousLines = 0;
  #window: NodeJS.Timeout | undefined;

  constructor(logger: FastifyBaseLogger) {
    this.#logger = logger;
  }

  /** @param code that of the error, where the answer has one */
  refused(request: FastifyRequest, status: number, code?: string): void {
    const { caller, operator } = request;
    const siteId = caller?.siteId ?? (operator ? undefined : request.site?.id);
    const actor = caller?.actor;
    const operatorId = actor?.type === 'operator' ? actor.id : operator?.memberId;
    const sender = caller?.bucket ?? (operator && `operator ${operator.memberId}`);
    this.#write(sender ?? undefined, {
      requestId: request.id,
      method: request.method,
      path: pathForLog(request.url),
      status,
      ...(code !== undefined && { code }),
      ...(siteId !== undefined && { siteId }),
      ...(actor?.type === 'key' && actor.id !== null && { keyId: actor.id }),
      ...(operatorId != null && { operatorId }),
      clientAddress: request.ip,
    });
  }

  /** A request that could not be read as one. */
  unreadable(requestId: string, status: number, code: string, clientAddress: string): void {
    this.#write(undefined, { requestId, status, code, clientAddress });
  }

  /** Writes what is counted. */
  close(): void {
    clearTimeout(this.#window);
    this.#window = undefined;
    if (this.#omitted.size > 0) {
      const omitted = Object.fromEntries(this.#omitted);
      this.#logger.info({ omitted }, 'More requests were refused than are logged');
    }
    this.#lines.clear();
    this.#limited.clear();
    this.#omitted.clear();
    this.#anonymousLines = 0;
  }

  /** @param caller undefined for a request without a valid key or session */
  #write(caller: string | undefined, request: RefusedRequest): void {
    this.#window ??= setTimeout(() => this.close(), windowSeconds * 1_000).unref();
    if (this.#takesLine(caller, request)) this.#logger.info(request, 'Request refused');
    else {
      const { code = String(request.status) } = request;
      this.#omitted.set(code, (this.#omitted.get(code) ?? 0) + 1);
    }
  }

  #takesLine(caller: string | undefined, { status, clientAddress }: RefusedRequest): boolean {
    if (caller === undefined && this.#anonymousLines >= maxAnonymousLines) return false;
    const sender = caller ?? addressBucket(clientAddress);
    const lines = this.#lines.get(sender) ?? 0;
    if (lines >= (caller === undefined ? maxLinesPerAddress : maxLinesPerCaller)) return false;
    if (status === 429 && this.#limited.has(sender)) return false;
    if (status === 429) this.#limited.add(sender);
    this.#lines.set(sender, lines + 1);
    if (caller === undefined) this.#anonymousLines += 1;
    return true;
  }
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const maxPathLength = 300;

/** A path without its query, in which whatever may be a token or an email address is left out. */
function pathForLog(url: string): string {
  const path = url.split('?', 1)[0]!.slice(0, maxPathLength);
  return path
    .split('/')
    .map((part) => (/^[A-Za-z0-9._-]{0,24}$/.test(part) || uuidForm.test(part) ? part : '*'))
    .join('/');
}
