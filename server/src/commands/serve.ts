import type { Command } from 'commander';
import { pino, stdTimeFunctions } from 'pino';
import { reportWarnings } from '../base/warnings.ts';
import { dialectOf } from '../storage/database-url.ts';
import { addCommand, type CommonOptions } from './command.ts';
import { createFirstSite, welcomeUrl } from './first-start.ts';
import { type Gatehouse, startGatehouse } from './gatehouse.ts';
import { absoluteUrl, newTokens, writeServiceState } from './service-state.ts';
import { findSettingsFile, readSettings, type Settings } from './settings.ts';
import { version } from './version.ts';

/** The steps of a stop have limits of their own, about ten seconds together. */
const maxStopSeconds = 15;

interface ServeOptions extends CommonOptions {
  readonly host?: string;
  readonly port?: string;
}

export function addServeCommand(program: Command): void {
  addCommand(program, 'serve', 'run the service until it is told to stop', ['serve --port 9000'])
    .option('--host <host>', 'the address to listen on, in place of GATEHOUSE_HOST')
    .option('--port <port>', 'the port to listen on, in place of GATEHOUSE_PORT')
    .action(({ host, port, json = false }: ServeOptions) => {
      const environment = {
        ...process.env,
        ...(host === undefined ? {} : { GATEHOUSE_HOST: host }),
        ...(port === undefined ? {} : { GATEHOUSE_PORT: port }),
      };
      return serve(readSettings(environment), json);
    });
}

/** Runs Gatehouse until it is told to stop. */
async function serve(settings: Settings, json: boolean): Promise<void> {
  const logger = createLogger(settings.logLevel, json);
  reportWarnings(({ name, message }) => logger.warn({ warning: name }, message));
  let gatehouse: Gatehouse | undefined;
  let stopping = false;
  let removeState = () => {};
  const tokens = newTokens();
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'Gatehouse is stopping');
    removeState();
    // Whatever was acknowledged is stored. What still holds the process then, a thread or a connection, is given up.
    setTimeout(() => {
      logger.error(`stopping took longer than ${maxStopSeconds} s and was broken off`);
      process.exit(1);
    }, maxStopSeconds * 1_000).unref();
    Promise.resolve(gatehouse?.stop()).then(
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
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);

  let firstKey: string | undefined;
  let welcome: string | undefined;
  gatehouse = await startGatehouse(settings, {
    logger,
    selfCheck: { ...tokens, settings: { ...settings, databaseUrl: absoluteUrl(settings.databaseUrl) } },
    onFatal: () => process.exit(1),
    prepare: async (database) => {
      firstKey = await createFirstSite(database, settings.publicUrl, new Date());
      welcome = await welcomeUrl(database, settings.publicUrl, new Date());
    },
  }).catch((error) => {
    // The port is in use, for example: the database is made by now, and no later start shows its key.
    if (firstKey !== undefined) {
      process.stdout.write(json ? `${JSON.stringify({ firstKey })}\n` : shownOnce(firstKey));
    }
    throw error;
  });
  try {
    removeState = writeServiceState(gatehouse.address, tokens, settings.databaseUrl);
  } catch (error) {
    logger.warn({ err: error }, 'doctor cannot be told of this service');
  }
  const facts = {
    version,
    address: gatehouse.address,
    store: dialectOf(settings.databaseUrl),
    settingsFile: findSettingsFile() ?? null,
  };
  logger.info(facts, `Gatehouse is ready at ${settings.publicUrl}`);
  if (welcome === undefined) return;
  const { publicUrl } = settings;
  if (json) process.stdout.write(`${JSON.stringify({ publicUrl, firstKey, dashboard: welcome })}\n`);
  else
    process.stdout.write(
      dashboardHint(welcome) + (firstKey === undefined ? '' : keyHint(publicUrl, firstKey)),
    );
}

function dashboardHint(url: string): string {
  return `
  Open the dashboard: ${url}

`;
}

function shownOnce(key: string): string {
  return `  Your first site is made. This is its API key; it is shown only now:

    ${key}
`;
}

function keyHint(publicUrl: string, key: string): string {
  return `${shownOnce(key)}
  Try it:

    curl -X POST ${publicUrl}/api/v1/members -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"email":"ada@example.com","displayName":"Ada Lovelace"}'

  Log in as she would, at ${publicUrl}/_gatehouse/login: the mail is shown here until a mail server is set.

  Read on at ${publicUrl}/docs

`;
}

/** JSON lines; readable ones on a terminal, unless JSON was asked for. */
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
