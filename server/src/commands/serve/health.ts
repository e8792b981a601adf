import { type Command, Option } from 'commander';
import { CommandFailure } from '../../app/failure.ts';
import { givenOptions, type SettingOptions } from '../../app/settings/given-settings.ts';
import { SettingError } from '../../app/settings/setting-error.ts';
import { readSomeSettings } from '../../app/settings/settings.ts';
import { addCommand, type CommonOptions, wholeNumber } from '../shared/add-command.ts';
import { print } from '../shared/output.ts';
import { NoResponse, type Place, readPath } from './small-http.ts';

/** A probe of Kubernetes waits for one second, unless it is set, and one of a container for thirty. */
const defaultTimeoutSeconds = 3;
const maxTimeoutSeconds = 60;

interface HealthOptions extends CommonOptions {
  readonly host?: string;
  readonly port?: string;
  readonly timeout: number;
}

export function addHealthCommand(program: Command): void {
  const timeout = new Option('--timeout <seconds>', 'how long to wait for the response')
    .default(defaultTimeoutSeconds)
    .argParser(wholeNumber(1, maxTimeoutSeconds));
  addCommand(program, 'health', 'check whether the service is ready, for probes', ['health'])
    .option('--host <host>', 'the IP address or host that it listens on, instead of GATEHOUSE_HOST')
    .option('--port <port>', 'the port that it listens on, instead of GATEHOUSE_PORT')
    .addOption(timeout)
    .addHelpText('after', '\nThe exit code is 0 if it is ready, otherwise 1.')
    .action(async (options: HealthOptions) => {
      const place = placeOf(options);
      const address = `${place.host.includes(':') ? `[${place.host}]` : place.host}:${place.port}`;
      await requireReady(place, address, options.timeout);
      print(options.json, { ok: true, address }, `Gatehouse is ready at ${address}.`);
    });
}

/** Where the service of these settings is reached from this machine. @throws {CommandFailure} */
function placeOf({ host, port }: HealthOptions): Place {
  const listens = readSettings(
    givenOptions({ GATEHOUSE_HOST: ['--host', host], GATEHOUSE_PORT: ['--port', port] }),
  );
  if (listens.port === 0) {
    throw new CommandFailure(
      'invalid_setting',
      'GATEHOUSE_PORT is 0, which is any free port. Name that of the service with --port.',
    );
  }
  return { host: loopbackOf[listens.host] ?? listens.host, port: listens.port };
}

/** What listens on all addresses is reached at that of this machine. */
const loopbackOf: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

function readSettings(options: SettingOptions) {
  try {
    return readSomeSettings(['GATEHOUSE_HOST', 'GATEHOUSE_PORT'], process.env, undefined, options);
  } catch (error) {
    // Docker reserves the exit code 2.
    if (error instanceof SettingError) throw new CommandFailure('invalid_setting', error.message);
    throw error;
  }
}

/** @throws {CommandFailure} */
async function requireReady(place: Place, address: string, timeoutSeconds: number): Promise<void> {
  const { status, body } = await readPath(place, '/readyz', timeoutSeconds * 1_000).catch((error) => {
    throw error instanceof NoResponse ? explain(error, address, timeoutSeconds) : error;
  });
  if (status === 200 && body === '{"status":"ok"}') return;
  const message = messageOf(body);
  if (status !== 503 || message === undefined) throw otherProgram(address);
  throw new CommandFailure('not_ready', `Gatehouse at ${address} is not ready: ${message}`);
}

function explain({ reason, message }: NoResponse, address: string, timeoutSeconds: number): CommandFailure {
  switch (reason) {
    case 'not connected':
      return new CommandFailure(
        'not_running',
        `No service listens at ${address} (${message}). Start it with ./gatehouse serve, or correct GATEHOUSE_HOST and ` +
          'GATEHOUSE_PORT.',
      );
    case 'late':
      return new CommandFailure(
        'no_answer',
        `There is no response from ${address} within ${timeoutSeconds} s. Check the log of the service, and restart it.`,
      );
    case 'not HTTP':
      return otherProgram(address);
  }
}

function otherProgram(address: string): CommandFailure {
  return new CommandFailure(
    'other_program',
    `Another program than Gatehouse listens at ${address}. Correct GATEHOUSE_HOST and GATEHOUSE_PORT.`,
  );
}

/** The message of an error reply. */
function messageOf(body: string): string | undefined {
  try {
    const { message } = JSON.parse(body).error;
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}
