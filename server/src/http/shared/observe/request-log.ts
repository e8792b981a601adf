import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { isUuid } from '../../../base/ids.ts';
import { addressBucket } from '../limits/rate-limit.ts';
import type { SecurityEvent } from './log-fields.ts';

const windowSeconds = 60;
/**
 * The maximum number of lines in one window: of one key or operator, of one client address without either, and of all
 * such addresses together.
 */
const maxLinesPerCaller = 1_000;
const maxLinesPerAddress = 100;
const maxAnonymousLines = 600;

declare module 'fastify' {
  interface FastifyInstance {
    requestLog: RequestLog;
  }
  interface FastifyContextConfig {
    /** What a response 400 of the route means for the log. */
    event?: SecurityEvent;
  }
}

/** The logged data of a rejected request. It contains no secrets and no names of persons. */
interface RejectedRequest {
  readonly event?: SecurityEvent;
  readonly requestId: string;
  readonly method?: string;
  readonly path?: string;
  readonly status: number;
  readonly code?: string;
  readonly siteId?: string;
  readonly keyId?: string;
  readonly operatorId?: string;
  readonly personId?: string;
  readonly ipAddress: string;
}

/**
 * Logs one line for each rejected request (4xx), so that it can be found by the request ID of the error. A flood of
 * requests cannot fill the disk: the lines of each sender in a minute are limited, and of the requests over a rate
 * limit only the first is logged. The others are counted.
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

  /**
   * @param code the code of the error, if the response has one
   * @param event what the rejection means, if the code and the status do not say it
   */
  rejected(
    request: FastifyRequest,
    status: number,
    code?: string,
    event = eventOf(request, status, code),
  ): void {
    const { caller, operator } = request;
    const sender = caller?.bucket ?? (operator && `operator ${operator.memberId}`);
    this.#write(sender ?? undefined, {
      ...(event !== undefined && { event }),
      requestId: request.id,
      method: request.method,
      path: pathForLog(request.url),
      status,
      ...(code !== undefined && { code }),
      ...callerFactsOf(request),
      ipAddress: request.ip,
    });
  }

  /** Logs a request that could not be parsed. */
  unreadable(requestId: string, status: number, code: string, ipAddress: string): void {
    this.#write(undefined, { requestId, status, code, ipAddress });
  }

  /** Logs the number of omitted requests. */
  close(): void {
    clearTimeout(this.#window);
    this.#window = undefined;
    if (this.#omitted.size > 0) {
      const omitted = Object.fromEntries(this.#omitted);
      this.#logger.info({ omitted }, 'More requests were rejected than are logged');
    }
    this.#lines.clear();
    this.#limited.clear();
    this.#omitted.clear();
    this.#anonymousLines = 0;
  }

  /** @param caller undefined for a request without a valid key or session */
  #write(caller: string | undefined, request: RejectedRequest): void {
    this.#window ??= setTimeout(() => this.close(), windowSeconds * 1_000).unref();
    if (this.#allowsLine(caller, request)) this.#logger.info(request, 'Request rejected');
    else {
      const { code = String(request.status) } = request;
      this.#omitted.set(code, (this.#omitted.get(code) ?? 0) + 1);
    }
  }

  #allowsLine(caller: string | undefined, { status, ipAddress }: RejectedRequest): boolean {
    if (caller === undefined && this.#anonymousLines >= maxAnonymousLines) return false;
    const sender = caller ?? String(addressBucket(ipAddress));
    const lines = this.#lines.get(sender) ?? 0;
    if (lines >= (caller === undefined ? maxLinesPerAddress : maxLinesPerCaller)) return false;
    if (status === 429 && this.#limited.has(sender)) return false;
    if (status === 429) this.#limited.add(sender);
    this.#lines.set(sender, lines + 1);
    if (caller === undefined) this.#anonymousLines += 1;
    return true;
  }
}

const eventsOfCodes: ReadonlyMap<string, SecurityEvent> = new Map([
  ['invalid_api_key', 'key.refused'],
  ['logged_out', 'session.refused'],
  ['permission_denied', 'permission.denied'],
]);

function eventOf(
  { routeOptions }: FastifyRequest,
  status: number,
  code: string | undefined,
): SecurityEvent | undefined {
  if (status === 429) return 'limit.exceeded';
  const { dashboardOperation, event } = routeOptions.config;
  if (status === 400 && dashboardOperation?.id === 'logInWithPasskey') return 'passkey.refused';
  if (status === 400 && event) return event;
  return eventsOfCodes.get(code ?? '');
}

/**
 * The site, and the key or the operator, of a request: the operator as in the events of the site, and the person, who is
 * the same one on all sites.
 */
export function callerFactsOf(request: FastifyRequest): {
  readonly siteId?: string;
  readonly keyId?: string;
  readonly operatorId?: string;
  readonly personId?: string;
} {
  const { caller, operator } = request;
  const siteId = caller?.siteId ?? (operator ? undefined : request.site?.id);
  const actor = caller?.actor;
  const personId = caller?.personId ?? operator?.memberId;
  return {
    ...(siteId !== undefined && { siteId }),
    ...(actor?.type === 'key' && actor.id !== null && { keyId: actor.id }),
    ...(actor?.type === 'operator' && actor.id !== null && { operatorId: actor.id }),
    ...(personId !== undefined && { personId }),
  };
}

const maxPathLength = 300;

/** The path without its query. Segments that may be a token or an email address are replaced. */
export function pathForLog(url: string): string {
  const path = url.split('?', 1)[0]!.slice(0, maxPathLength);
  return path
    .split('/')
    .map((part) => (/^[A-Za-z0-9._-]{0,24}$/.test(part) || isUuid(part) ? part : '*'))
    .join('/');
}
