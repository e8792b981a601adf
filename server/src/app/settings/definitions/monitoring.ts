import type { LevelWithSilent } from 'pino';
import type { Definitions } from '../setting-definition.ts';
import { host, httpUrl, numberParser, oneOf, port } from '../setting-values.ts';

const levelNames: readonly LevelWithSilent[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

export const monitoringSettings = {
  GATEHOUSE_LOG_LEVEL: {
    default: 'info',
    about: 'level of [the log](#log)',
    ...oneOf(levelNames, `one of ${levelNames.join(', ')}`),
  },
  GATEHOUSE_SLOW_REQUEST_MILLISECONDS: {
    default: 1_000,
    about: 'requests that take at least this long are logged; 0 for none',
    expected: 'a whole number of milliseconds, 0 to log no slow requests',
    parse: numberParser(0, 1_000_000_000),
  },
  GATEHOUSE_SLOW_STATEMENT_MILLISECONDS: {
    default: 500,
    about:
      'statements of the database that take at least this long are logged, without their values; 0 for none',
    expected: 'a whole number of milliseconds, 0 to log no slow statements',
    parse: numberParser(0, 1_000_000_000),
  },
  GATEHOUSE_METRICS_HOST: {
    default: '127.0.0.1',
    about: 'the IP address or host to listen on for [metrics](operations/monitoring.md)',
    ...host,
  },
  GATEHOUSE_METRICS_PORT: {
    default: undefined,
    about:
      'a separate port for metrics (`/metrics`, for Prometheus). With several workers, the first one uses this port, and the others those after it',
    ...port,
  },
  GATEHOUSE_METRICS_TOKEN: {
    default: undefined,
    about: 'the token that reads the metrics, on that port or, without one, on the port of the service',
    details: 'Without a port and a token there are no metrics',
    isSecret: true,
    expected: 'a random text of 20 to 200 letters, digits, - and _',
    parse: (text: string) => (/^[\w-]{20,200}$/.test(text) ? text : undefined),
  },
  GATEHOUSE_TRACES_URL: {
    default: undefined,
    about:
      'where [traces](operations/monitoring.md#traces) are sent, by OTLP over HTTP: `http://127.0.0.1:4318/v1/traces`',
    isUrl: true,
    expected: 'the URL that takes traces by OTLP over HTTP, such as http://127.0.0.1:4318/v1/traces',
    parse: tracesUrl,
  },
  GATEHOUSE_TRACES_PERCENT: {
    default: 100,
    about: 'the share of traces that is recorded',
    expected: 'a whole number: the share of traces, from 0 to 100',
    parse: numberParser(0, 100),
  },
} satisfies Definitions;

/** An address without a path is that of a collector, which takes traces at this path. */
function tracesUrl(text: string): string | undefined {
  const url = httpUrl(text);
  return url !== undefined && url === new URL(url).origin ? `${url}/v1/traces` : url;
}
