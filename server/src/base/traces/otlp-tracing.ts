import { context, defaultTextMapGetter, defaultTextMapSetter, ROOT_CONTEXT } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Report } from '../report.ts';
import { sleep, systemTimers } from '../timers.ts';
import type { TraceSettings, Tracing } from './tracing.ts';

const closeMilliseconds = 2_000;

/**
 * Sends the spans of this thread to a collector, in batches. Spans that it does not take are dropped.
 * @param thread the name of the thread, such as `main`
 * @param report called when the collector stops taking spans
 */
export function openTracing(
  { url, percent, version }: TraceSettings,
  thread: string,
  report: Report,
): Tracing {
  const propagator = new W3CTraceContextPropagator();
  const exporter = reportingExporter(new OTLPTraceExporter({ url }), report);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'gatehouse',
      'service.version': version,
      'process.pid': process.pid,
      'thread.name': thread,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(percent / 100) }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  // Parts of a request find their span by it, also after they have waited.
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  return {
    tracer: provider.getTracer('gatehouse', version),
    continue: (traceparent, work) => {
      const carrier = traceparent === undefined ? {} : { traceparent };
      return context.with(propagator.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter), work);
    },
    traceparent: () => {
      const carrier: Record<string, string> = {};
      propagator.inject(context.active(), carrier, defaultTextMapSetter);
      return carrier.traceparent;
    },
    close: () => closeInTime(provider),
  };
}

/** The exporter reports failures, and tries again for longer than a service may take to stop. */
async function closeInTime(provider: TracerProvider): Promise<void> {
  const closed = provider.shutdown().catch(() => {});
  await Promise.race([closed, sleep(systemTimers, closeMilliseconds)]);
}

/** Reports the first failure after each success. */
function reportingExporter(exporter: SpanExporter, report: Report): SpanExporter {
  let hasFailed = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const { error } = result;
        if (error && !hasFailed) {
          report('warn', 'traces could not be sent and are dropped', {
            report: `${error.name}: ${error.message}`,
          });
        }
        hasFailed = error !== undefined;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
