import { Gatehouse } from '@gatehouse/client';
import { CommandFailure, WrongUsage } from '../../app/failure.ts';
import { readSettings } from '../../app/settings/settings.ts';
import { version } from '../../base/version.ts';
import type { WhereOptions } from './where-options.ts';

/** Long-running commands wait for the rate limit and for a service that restarts. */
const retries = 10;
/** A service that does not respond within this time is considered down. */
const firstResponseMilliseconds = 2_500;

/** The options of commands that call a running service. */
export type ConnectionOptions = Omit<WhereOptions, 'site'>;

export interface ServiceConnection {
  readonly gatehouse: Gatehouse;
  readonly url: string;
  readonly key: string;
}

/**
 * Connects to a service that responds at this moment: later requests are repeated while it restarts, the first is
 * not.
 * @throws {WrongUsage}
 * @throws {CommandFailure} `no_answer`
 */
export async function connect(options: ConnectionOptions): Promise<ServiceConnection> {
  const { GATEHOUSE_URL, GATEHOUSE_KEY } = process.env;
  const url = options.url || GATEHOUSE_URL || readSettings(process.env).publicUrl;
  const key = options.key || GATEHOUSE_KEY;
  if (!key) {
    throw new WrongUsage(
      'An API key is missing. Set --key or GATEHOUSE_KEY. Create a key with ./gatehouse api-keys create.',
    );
  }
  const gatehouse = createClient(url, key);
  await requireResponse(url);
  return { gatehouse, url, key };
}

function createClient(url: string, key: string): Gatehouse {
  const port = /^https?:\/\/[^/?#]*:(\d+)(?:[/?#]|$)/.exec(url)?.[1];
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) throw noSuchPort(url, port);
  try {
    return new Gatehouse({ url, key, retries, userAgent: `gatehouse-command-line/${version}` });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new WrongUsage(
      error.message.replace('Gatehouse: ', '').replace('`url`', '--url').replace('`key`', '--key'),
    );
  }
}

/** Any response is enough: a proxy may not forward this path. */
async function requireResponse(url: string): Promise<void> {
  try {
    const response = await fetch(new URL('/healthz', url), {
      redirect: 'manual',
      signal: AbortSignal.timeout(firstResponseMilliseconds),
    });
    await response.body?.cancel();
  } catch (error) {
    const reason = reasonOf(error);
    // Ports of other protocols, which `fetch` rejects (WHATWG Fetch, section 2.9).
    if (reason === 'bad port') throw noSuchPort(url, new URL(url).port);
    throw new CommandFailure(
      'no_answer',
      `There is no response from ${new URL(url).origin} (${reason}). Is Gatehouse running there? ` +
        'Start it with ./gatehouse serve, or set its URL with --url or GATEHOUSE_URL.',
    );
  }
}

function noSuchPort(url: string, port: string): WrongUsage {
  return new WrongUsage(
    `No service can be reached at port ${port} of ${url}. Correct the port in --url or GATEHOUSE_URL.`,
  );
}

/** The innermost message or code: the error of `fetch` itself only says that it failed. */
function reasonOf(error: unknown): string {
  const { name, message, cause, code } = error as Error & { code?: string };
  if (name === 'TimeoutError') return `no answer within ${firstResponseMilliseconds / 1_000} s`;
  return cause instanceof Error ? reasonOf(cause) : message || (code ?? name);
}
