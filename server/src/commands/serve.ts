import { pino, stdTimeFunctions } from 'pino';
import { openDatabase } from '../storage/open.ts';
import { createFirstSite } from './first-start.ts';
import { type Gatehouse, startGatehouse } from './gatehouse.ts';
import type { Settings } from './settings.ts';

/** Runs Gatehouse until it is told to stop. */
export async function serve(settings: Settings): Promise<void> {
  const logger = createLogger(settings.logLevel);
  let gatehouse: Gatehouse | undefined;
  let stopping: Promise<void> | undefined;
  const stop = (exitCode: number) => {
    stopping ??= Promise.resolve(gatehouse?.stop()).then(
      () => process.exit(exitCode),
      (error) => {
        logger.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop(0));

  gatehouse = await startGatehouse(settings, { logger, onFatal: () => process.exit(1) });
  const firstKey = await openFirst(settings);
  logger.info({ address: gatehouse.address }, `Gatehouse is ready at ${settings.publicUrl}`);
  if (firstKey !== undefined) process.stdout.write(welcome(settings.publicUrl, firstKey));
}

async function openFirst(settings: Settings): Promise<string | undefined> {
  const database = openDatabase(settings.databaseUrl);
  return createFirstSite(database, new Date()).finally(() => database.close());
}

function welcome(publicUrl: string, key: string): string {
  return `
  Your first site is made. This is its API key; it is shown only now:

    ${key}

  Try it:

    curl -X POST ${publicUrl}/api/v1/members -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"email":"ada@example.com","displayName":"Ada Lovelace"}'

  Read on at ${publicUrl}/docs

`;
}

/** JSON lines; readable ones on a terminal. */
function createLogger(level: string) {
  const options = { level, base: null, timestamp: stdTimeFunctions.isoTime };
  if (!process.stdout.isTTY) return pino(options);
  return pino({
    ...options,
    transport: { target: 'pino-pretty', options: { ignore: 'address', translateTime: 'SYS:HH:MM:ss' } },
  });
}
