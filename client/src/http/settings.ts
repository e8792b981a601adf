import { version } from '../api/version.ts';
import { maxTimerMilliseconds, type Wait, wait } from './wait.ts';

export interface GatehouseOptions {
  /** The URL of the service, for example `https://gatehouse.example.com`; with or without `/api/v1`. */
  url: string;
  /** The API key of the site: `gate_…`. */
  key: string;
  /** The maximum number of retries after a temporary failure, 0 to 10. Defaults to 3. */
  retries?: number | undefined;
  /** The time limit of one attempt, including its response. Defaults to 30,000. */
  timeoutMilliseconds?: number | undefined;
  /** The name of your program, which precedes the client in the `User-Agent` header: `shop/2.1`. */
  userAgent?: string | undefined;
  /** Used instead of the global `fetch`. */
  fetch?: Fetch | undefined;
  /** @internal Lets tests skip the delays between retries and polls. */
  wait?: Wait | undefined;
}

/** The part of the global `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** @internal */
export interface Settings {
  /** With `/api/v1`, without a trailing slash. */
  readonly apiUrl: string;
  readonly key: string;
  readonly retries: number;
  readonly timeoutMilliseconds: number;
  readonly userAgent: string;
  readonly fetch: Fetch;
  readonly wait: Wait;
}

const apiPath = '/api/v1';
const maxRetries = 10;

/** @internal @throws TypeError if an option is invalid; the message never contains the key */
export function toSettings(options: GatehouseOptions): Settings {
  return {
    apiUrl: toApiUrl(options.url),
    key: checkKey(options.key),
    retries: checkWholeNumber('retries', options.retries ?? 3, 0, maxRetries),
    timeoutMilliseconds: checkWholeNumber(
      'timeoutMilliseconds',
      options.timeoutMilliseconds ?? 30_000,
      1,
      maxTimerMilliseconds,
    ),
    userAgent: [options.userAgent, `gatehouse-client/${version}`].filter(Boolean).join(' '),
    // Looked up for each call, so that a `fetch` replaced by a test or a tracer is used.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    wait: options.wait ?? wait,
  };
}

function toApiUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new TypeError(
      'Gatehouse: `url` must be the http or https URL of the service, without user and password.',
    );
  }
  const path = url.pathname.replace(/\/+$/, '');
  return url.origin + (path.endsWith(apiPath) ? path : path + apiPath);
}

/** Checked here because the error message for an invalid header contains its value, which would end up in logs. */
function checkKey(given: string): string {
  const key = String(given ?? '').trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new TypeError('Gatehouse: `key` must be an API key, `gate_…`, on one line and without spaces.');
}

function checkWholeNumber(name: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new TypeError(`Gatehouse: \`${name}\` must be a whole number from ${min} to ${max}.`);
}
