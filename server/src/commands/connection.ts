import { Gatehouse } from '@gatehouse/client';
import type { Command } from 'commander';
import type { CommonOptions } from './command.ts';
import { WrongUsage } from './failure.ts';
import { readSettings } from './settings.ts';
import { version } from './version.ts';

/** Long works wait for the rate limit and for a service that restarts. */
const retries = 10;

/** What commands that speak to a running service take. */
export interface ConnectionOptions extends CommonOptions {
  readonly url?: string;
  readonly key?: string;
}

export interface ServiceConnection {
  readonly gatehouse: Gatehouse;
  readonly url: string;
  readonly key: string;
}

export function addConnectionOptions(command: Command): Command {
  return command
    .option('--url <address>', 'the service (default: GATEHOUSE_URL, or the public URL of the settings)')
    .option('--key <key>', 'the API key of the site (default: GATEHOUSE_KEY, which other users cannot see)');
}

/** @throws WrongUsage */
export function connect(options: ConnectionOptions): ServiceConnection {
  const { GATEHOUSE_URL, GATEHOUSE_KEY } = process.env;
  const url = options.url || GATEHOUSE_URL || readSettings(process.env).publicUrl;
  const key = options.key || GATEHOUSE_KEY;
  if (!key) {
    throw new WrongUsage('Give an API key: --key or GATEHOUSE_KEY. Make one with ./gatehouse key create.');
  }
  try {
    const gatehouse = new Gatehouse({ url, key, retries, userAgent: `gatehouse-command-line/${version}` });
    return { gatehouse, url, key };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new WrongUsage(
      error.message.replace('Gatehouse: ', '').replace('`url`', '--url').replace('`key`', '--key'),
    );
  }
}
