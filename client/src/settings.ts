import { version } from './version.ts';
import { longestTimerMilliseconds, type Wait, wait } from './wait.ts';

export interface GatehouseOptions {
  /** Where the service is, for example `https://gatehouse.example.com`; with or without `/api/v1`. */
  url: string;
  /** The API key of the site: `gate_…`. */
  key: string;
  /** How often a call that failed for the moment is tried again, 0 to 10; 3 when left out. */
  retries?: number | undefined;
  /** How long one try may take, its answer included; 30,000 when left out. */
  timeoutMilliseconds?: number | undefined;
  /** Your program, put before the client in the `User-Agent` header: `shop/2.1`. */
  userAgent?: string | undefined;
  /** Used instead of the global `fetch`. */
  fetch?: Fetch | undefined;
  /** @internal Lets tests skip the waiting between tries and polls. */
  wait?: Wait | undefined;
}

/** The part of the global `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** @internal */
export interface Settings {
  /** With `/api/v1`, without a slash at its end. */
  readonly apiUrl: string;
  readonly key: string;
  readonly retries: number;
  readonly timeoutMilliseconds: number;
  readonly userAgent: string;
  readonly fetch: Fetch;
  readonly wait: Wait;
}

const apiPath = '/api/v1';
const mostRetries = 10;

/** @internal @throws TypeError when an option cannot be used; the message never shows the key */
export function toSettings(options: GatehouseOptions): Settings {
  return {
    apiUrl: toApiUrl(options.url),
    key: checkKey(options.key),
    retries: checkWholeNumber('retries', options.retries ?? 3, 0, mostRetries),
    timeoutMilliseconds: checkWholeNumber(
      'timeoutMilliseconds',
      options.timeoutMilliseconds ?? 30_000,
      1,
      longestTimerMilliseconds,
    ),
    userAgent: [options.userAgent, `gatehouse-client/${version}`].filter(Boolean).join(' '),
    // Looked up for each call, so that a fetch which a test or a tracer puts in place is used.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    wait: options.wait ?? wait,
  };
}

function toApiUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new TypeError(
      'Gatehouse: `url` must be the http or https address of the service, without user and password.',
    );
  }
  const path = url.pathname.replace(/\/+$/, '');
  return url.origin + (path.endsWith(apiPath) ? path : path + apiPath);
}

/** Checked here because what a header refuses shows up in its error message, and so in logs. */
function checkKey(given: string): string {
  const key = String(given ?? '').trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new TypeError('Gatehouse: `key` must be an API key, `gate_…`, on one line and without spaces.');
}

function checkWholeNumber(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new TypeError(`Gatehouse: \`${name}\` must be a whole number from ${least} to ${most}.`);
}
