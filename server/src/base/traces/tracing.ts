import type { Attributes, Span, SpanKind, Tracer } from '@opentelemetry/api';

export type { Span } from '@opentelemetry/api';

// Only types of OpenTelemetry: a service without an exporter loads nothing of it.

/** Opens spans and continues traces. Undefined wherever no exporter is set. */
export interface Tracing {
  readonly tracer: Tracer;
  /**
   * Runs work as a part of the trace that began elsewhere.
   * @param traceparent as W3C Trace Context defines it; undefined for a new trace
   */
  continue<T>(traceparent: string | undefined, work: () => T): T;
  /** Names the current span for another thread or process. */
  traceparent(): string | undefined;
  /** Sends the remaining spans. */
  close(): Promise<void>;
}

/** Where spans are sent. Plain data, which is passed to threads. */
export interface TraceSettings {
  /** The address that takes traces by OTLP over HTTP. */
  readonly url: string;
  /** The share of traces that is recorded. */
  readonly percent: number;
  readonly version: string;
}

/** The values of `SpanKind`. */
export const spanKinds = { internal: 0, server: 1, client: 2 } satisfies Record<string, SpanKind>;
const errorStatus = 2;

export interface SpanFacts {
  readonly name: string;
  readonly kind?: keyof typeof spanKinds;
  /** Without personal data, secrets and paths. */
  readonly attributes?: Attributes;
}

/** Runs work in a span. Of an error, only its name is recorded: its message may contain data. */
export function inSpan<T>(
  tracing: Tracing | undefined,
  { name, kind = 'internal', attributes = {} }: SpanFacts,
  work: (span?: Span) => Promise<T>,
): Promise<T> {
  if (!tracing) return work();
  return tracing.tracer.startActiveSpan(name, { kind: spanKinds[kind], attributes }, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      failSpan(span, error instanceof Error ? error.name : 'unknown');
      throw error;
    } finally {
      span.end();
    }
  });
}

export function failSpan(span: Span, errorType: string): void {
  span.setAttribute('error.type', errorType);
  span.setStatus({ code: errorStatus });
}
