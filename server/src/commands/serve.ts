import type { Command } from 'commander';
import { type Logger, pino, stdTimeFunctions } from 'pino';
import { reportWarnings } from '../base/warnings.ts';
import { dialectOf } from '../storage/database-url.ts';
import { addCommand, type CommonOptions } from './add-command.ts';
import { createFirstSite, setupUrl } from './first-start.ts';
import { absoluteUrl, newTokens, writeServiceState } from './service-state.ts';
import { findSettingsFile, readSettings, type Settings } from './settings.ts';
import type { Gatehouse } from './start-gatehouse.ts';
import { version } from './version.ts';

/** The steps of stopping have their own time limits, about ten seconds in total. */
const maxStopSeconds = 15;

interface ServeOptions extends CommonOptions {
  readonly host?: string;
  readonly port?: string;
}

export function addServeCommand(program: Command): void {
  addCommand(program, 'serve', 'run the service until it is stopped', ['serve --port 9000'])
    .option('--host <host>', 'the address to listen on, instead of GATEHOUSE_HOST')
    .option('--port <port>', 'the port to listen on, instead of GATEHOUSE_PORT')
    .action(({ host, port, json = false }: ServeOptions) => {
      const environment = {
        ...process.env,
        ...(host === undefined ? {} : { GATEHOUSE_HOST: host }),
        ...(port === undefined ? {} : { GATEHOUSE_PORT: port }),
      };
      return serve(readSettings(environment), json);
    });
}

/** Runs Gatehouse until it receives a signal. */
async function serve(settings: Settings, json: boolean): Promise<void> {
  const logger = createLogger(settings.logLevel, json);
  reportWarnings(({ name, message }) => logger.warn({ warning: name }, message));
  const tokens = newTokens();
  let gatehouse: Gatehouse | undefined;
  let removeState = () => {};
  stopOnSignal(logger, async () => {
    removeState();
    await gatehouse?.stop();
  });
  let firstKey: string | undefined;
  let firstStartUrl: string | undefined;
  // Loaded after the settings are checked, and not for `--help`.
  const { startGatehouse } = await import('./start-gatehouse.ts');
  gatehouse = await startGatehouse(settings, {
    logger,
    selfCheck: { ...tokens, settings: { ...settings, databaseUrl: absoluteUrl(settings.databaseUrl) } },
    onFatal: () => process.exit(1),
    prepare: async (database) => {
      firstKey = await createFirstSite(database, settings.publicUrl, new Date());
      firstStartUrl = await setupUrl(database, settings.publicUrl, new Date());
    },
  }).catch((error) => {
    // For example, a thread of the store could not start: the database now exists, and no later start shows its key.
    if (firstKey !== undefined) {
      process.stdout.write(json ? `${JSON.stringify({ firstKey })}\n` : shownOnce(firstKey));
    }
    throw error;
  });
  try {
    removeState = writeServiceState(gatehouse.address, tokens, settings.databaseUrl);
  } catch (error) {
    logger.warn({ err: error }, 'doctor cannot find this service');
  }
  const facts = {
    version,
    address: gatehouse.address,
    store: dialectOf(settings.databaseUrl),
    settingsFile: findSettingsFile() ?? null,
  };
  logger.info(facts, `Gatehouse is ready at ${settings.publicUrl}`);
  if (firstStartUrl !== undefined) printFirstSteps(settings.publicUrl, firstStartUrl, firstKey, json);
}

/** Ends the process on a signal, after `stop` is done. */
function stopOnSignal(logger: Logger, stop: () => Promise<void>): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'Gatehouse is stopping');
    // All acknowledged changes are stored. A thread or connection that still keeps the process alive is abandoned.
    setTimeout(() => {
      logger.error(`stopping took longer than ${maxStopSeconds} s and was aborted`);
      process.exit(1);
    }, maxStopSeconds * 1_000).unref();
    stop().then(
      () => {
        logger.info('Gatehouse has stopped');
        process.exit(0);
      },
      (error) => {
        logger.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
}

/** @param dashboard the URL where the first operator sets up the dashboard */
function printFirstSteps(
  publicUrl: string,
  dashboard: string,
  firstKey: string | undefined,
  json: boolean,
): void {
  process.stdout.write(
    json
      ? `${JSON.stringify({ publicUrl, firstKey, dashboard })}\n`
      : dashboardHint(dashboard) + (firstKey === undefined ? '' : keyHint(publicUrl, firstKey)),
  );
}

function dashboardHint(url: string): string {
  return `
  Open the dashboard: ${url}

`;
}

function shownOnce(key: string): string {
  return `  Your first site is ready. This is its API key. It is shown only once:

    ${key}
`;
}

function keyHint(publicUrl: string, key: string): string {
  return `${shownOnce(key)}
  Try it:

    curl -X POST ${publicUrl}/api/v1/members -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"email":"ada@example.com","displayName":"Ada Lovelace"}'

  Log in as Ada at ${publicUrl}/_gatehouse/login. Until a mail server is set, the email is shown here.

  API reference: ${publicUrl}/docs

`;
}

/** JSON lines; readable lines on a terminal, unless JSON was requested. */
function createLogger(level: string, json: boolean) {
  const options = { level, base: null, timestamp: stdTimeFunctions.isoTime };
  if (json || !process.stdout.isTTY) return pino(options);
  return pino({
    ...options,
    transport: {
      target: 'pino-pretty',
      options: {
        singleLine: true,
        ignore: 'version,address,store,settingsFile',
        translateTime: 'SYS:HH:MM:ss',
      },
    },
  });
}
