import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { gauge, type Metric, total } from '../base/metrics/metric.ts';
import type { Report } from '../base/report.ts';
import type { TraceSettings, Tracing } from '../base/traces/tracing.ts';
import { type StatementWatch, watchStatements } from '../storage/statement-watch.ts';

/** Plain data, which is passed to threads. */
export interface MonitoringSettings {
  /** Statements that take at least this long are logged; 0 for none. */
  readonly slowStatementMilliseconds: number;
  /** Undefined to record no traces. */
  readonly traces: TraceSettings | undefined;
}

/** What a thread of the process records about its work. */
export interface Monitoring {
  readonly watch: StatementWatch | undefined;
  readonly tracing: Tracing | undefined;
  /** The metrics of the thread itself. */
  metrics(): readonly Metric[];
}

/** The threads of a process, by their work. */
export type ThreadName = 'main' | 'writer' | 'search' | 'sync';

export async function startMonitoring(
  { slowStatementMilliseconds, traces }: MonitoringSettings,
  thread: ThreadName,
  report: Report,
): Promise<Monitoring> {
  const watch = watchStatements(slowStatementMilliseconds, report);
  return {
    watch,
    tracing: traces && (await openTraces(traces, thread, report)),
    metrics: () => [...threadMetrics(thread), ...(watch?.metrics() ?? [])],
  };
}

async function openTraces(traces: TraceSettings, thread: ThreadName, report: Report): Promise<Tracing> {
  const { openTracing } = await import('../base/traces/otlp-tracing.ts');
  return openTracing(traces, thread, report);
}

function threadMetrics(thread: ThreadName): Metric[] {
  const labels = { thread };
  const busySeconds = performance.eventLoopUtilization().active / 1_000;
  return [
    gauge('gatehouse_thread_heap_bytes', 'Memory that the objects of a thread use.', [
      { labels, value: getHeapStatistics().used_heap_size },
    ]),
    {
      ...total('gatehouse_thread_busy_seconds_total', 'Time that the event loop of a thread was busy.', 0),
      values: [{ labels, value: busySeconds }],
    },
  ];
}
