import { STATUS_CODES } from 'node:http';
import type { AccessReason } from '@gatehouse/contract';
import { type Count, Counter } from '../../../base/metrics/counter.ts';
import { type Distribution, Histogram } from '../../../base/metrics/histogram.ts';
import type { Metric } from '../../../base/metrics/metric.ts';

/** The parts of the service that answer requests. */
export type Surface =
  | 'api'
  | 'dashboard_api'
  | 'dashboard'
  | 'site_pages'
  | 'gate'
  | 'built_in_site'
  | 'hooks'
  | 'health'
  | 'other';

/** What the gate decided on: a request of nginx, of another proxy, or for a page of the built-in server. */
export type DecidedRequest = 'auth' | 'forward_auth' | 'page';

/** Why there was no decision: the store did not answer, or the request did not come as the proxy has to send it. */
type NoDecision = 'unavailable' | 'unreadable';

/** Counts the requests of a process, and the decisions of its gate. */
export class RequestMetrics {
  readonly #requests = new Counter('gatehouse_http_requests_total', 'Requests that were answered.');
  readonly #durations = new Histogram(
    'gatehouse_http_request_duration_seconds',
    'Time from the headers of a request to the end of its response.',
  );
  readonly #decisions = new Counter(
    'gatehouse_gate_decisions_total',
    'Access decisions of the gate, by their reason.',
  );
  readonly #byReason: Readonly<Record<DecidedRequest, Map<string, Count>>> = {
    auth: new Map(),
    forward_auth: new Map(),
    page: new Map(),
  };
  readonly #slow = new Counter(
    'gatehouse_slow_requests_total',
    'Requests over GATEHOUSE_SLOW_REQUEST_MILLISECONDS.',
  );
  readonly slowRequests = this.#slow.of({});

  /** The requests for one operation. To be looked up once, not at every request. */
  operation(surface: Surface, operation: string): OperationMetrics {
    return new OperationMetrics(
      (status) => this.#requests.of({ surface, operation, status }),
      () => this.#durations.of({ surface, operation }),
    );
  }

  decided(request: DecidedRequest, reason: AccessReason | NoDecision): void {
    const counts = this.#byReason[request];
    let count = counts.get(reason);
    if (count === undefined) {
      count = this.#decisions.of({ request, reason });
      counts.set(reason, count);
    }
    count.value += 1;
  }

  metrics(): readonly Metric[] {
    return [this.#requests.metric(), this.#durations.metric(), this.#decisions.metric(), this.#slow.metric()];
  }
}

export class OperationMetrics {
  readonly #countOf: (status: string) => Count;
  readonly #durationOf: () => Distribution;
  readonly #byStatus = new Map<number, Count>();

  /** Undefined until the first request: most operations of a service are never called. */
  #duration: Distribution | undefined;

  constructor(countOf: (status: string) => Count, durationOf: () => Distribution) {
    this.#countOf = countOf;
    this.#durationOf = durationOf;
  }

  ended(status: number, milliseconds: number): void {
    let count = this.#byStatus.get(status);
    if (count === undefined) {
      // A program behind the built-in server may send any status.
      const isKnown = status in STATUS_CODES;
      count = this.#countOf(isKnown ? String(status) : 'other');
      if (isKnown) this.#byStatus.set(status, count);
    }
    count.value += 1;
    this.#duration ??= this.#durationOf();
    this.#duration.observeMilliseconds(milliseconds);
  }
}
