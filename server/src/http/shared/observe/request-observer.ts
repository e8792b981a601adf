import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { LineLimit } from '../../../base/text/line-limit.ts';
import { failSpan, type Span, spanKinds, type Tracing } from '../../../base/traces/tracing.ts';
import type { TrustedProxies } from '../requests/site-request.ts';
import type { OperationMetrics, RequestMetrics, Surface } from './request-metrics.ts';

const maxSlowLinesPerMinute = 60;

/** What is recorded about requests. */
export interface RequestMonitoring {
  /** Undefined if no one can read metrics. */
  readonly metrics?: RequestMetrics | undefined;
  readonly tracing?: Tracing | undefined;
  /** Requests that take at least this long are logged; 0 for none. */
  readonly slowRequestMilliseconds: number;
}

/** One operation of the API, one page, or one kind of request to the gate. */
export interface ObservedOperation {
  readonly surface: Surface;
  readonly operation: string;
  readonly metrics: OperationMetrics | undefined;
  /** Whether its time depends on a program or client that Gatehouse does not know. */
  readonly mayBeSlow: boolean;
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** Facts of a request for the log. They contain no query, no token and no name of a person. */
export interface RequestFacts {
  readonly requestId?: string | undefined;
  readonly method?: string | undefined;
  readonly siteId?: string | undefined;
  readonly keyId?: string;
  readonly operatorId?: string;
  readonly personId?: string;
}

/** Records every request: in the metrics, in the log if it is slow or all are logged, and as a span. */
export class RequestObserver {
  /** Undefined if no one can read metrics. */
  readonly metrics: RequestMetrics | undefined;
  /** Whether anything is recorded when a request ends. */
  readonly isActive: boolean;
  readonly #monitoring: RequestMonitoring;
  readonly #logger: FastifyBaseLogger;
  readonly #logsEach: boolean;
  readonly #slowMilliseconds: number;
  readonly #limit = new LineLimit(maxSlowLinesPerMinute, 60_000);
  readonly #spans = new WeakMap<ServerResponse, Span>();

  constructor(monitoring: RequestMonitoring, logger: FastifyBaseLogger) {
    this.#monitoring = monitoring;
    this.#logger = logger;
    this.metrics = monitoring.metrics;
    this.#logsEach = /^(?:debug|trace)$/.test(logger.level);
    this.#slowMilliseconds = monitoring.slowRequestMilliseconds || Number.POSITIVE_INFINITY;
    this.isActive =
      this.metrics !== undefined ||
      this.#logsEach ||
      monitoring.slowRequestMilliseconds > 0 ||
      monitoring.tracing !== undefined;
  }

  operation(surface: Surface, operation: string, mayBeSlow = false): ObservedOperation {
    return { surface, operation, metrics: this.metrics?.operation(surface, operation), mayBeSlow };
  }

  /** Answers each request in a span. Without traces, only answers it. */
  traced(handle: Handle, proxies: TrustedProxies): Handle {
    const { tracing } = this.#monitoring;
    if (!tracing) return handle;
    return (request, response) =>
      this.#trace(tracing, request, response, proxies, () => handle(request, response));
  }

  /** Whether something is recorded about a request that took this long. */
  records(milliseconds: number): boolean {
    const { metrics, tracing } = this.#monitoring;
    if (metrics !== undefined || tracing !== undefined || this.#logsEach) return true;
    return milliseconds >= this.#slowMilliseconds;
  }

  /** Called when a request was answered. */
  ended(
    { surface, operation, metrics, mayBeSlow }: ObservedOperation,
    response: ServerResponse,
    milliseconds: number,
    facts: () => RequestFacts,
  ): void {
    const { statusCode: status } = response;
    metrics?.ended(status, milliseconds);
    const isSlow = !mayBeSlow && milliseconds >= this.#slowMilliseconds;
    const span = this.#monitoring.tracing && this.#spans.get(response);
    if (span) nameSpan(span, surface, operation, facts());
    if (!isSlow && !this.#logsEach) return;
    const line = { ...facts(), surface, operation, status, milliseconds: Math.round(milliseconds * 10) / 10 };
    if (isSlow) this.#logSlow(line);
    if (this.#logsEach) this.#logger.debug(line, 'Request');
  }

  #logSlow(line: object): void {
    if (this.metrics) this.metrics.slowRequests.value += 1;
    const omitted = this.#limit.next();
    if (omitted === undefined) return;
    this.#logger.warn({ ...line, ...(omitted > 0 && { omitted }) }, 'Slow request');
  }

  /** A visitor could send any `traceparent`, and with it choose what is recorded: only that of a trusted proxy counts. */
  #trace(
    tracing: Tracing,
    request: IncomingMessage,
    response: ServerResponse,
    proxies: TrustedProxies,
    handle: () => void,
  ): void {
    const { traceparent } = request.headers;
    const parent = typeof traceparent === 'string' && proxies.sent(request) ? traceparent : undefined;
    const method = request.method ?? '';
    const attributes = { 'http.request.method': method };
    tracing.continue(parent, () =>
      tracing.tracer.startActiveSpan(method, { kind: spanKinds.server, attributes }, (span) => {
        this.#spans.set(response, span);
        response.once('close', () => {
          span.setAttribute('http.response.status_code', response.statusCode);
          if (response.statusCode >= 500) failSpan(span, String(response.statusCode));
          span.end();
        });
        handle();
      }),
    );
  }
}

function nameSpan(
  span: Span,
  surface: Surface,
  operation: string,
  { requestId, siteId }: RequestFacts,
): void {
  span.updateName(`${surface} ${operation}`);
  span.setAttributes({
    'gatehouse.surface': surface,
    'gatehouse.operation': operation,
    ...(requestId !== undefined && { 'gatehouse.request_id': requestId }),
    ...(siteId !== undefined && { 'gatehouse.site_id': siteId }),
  });
}
