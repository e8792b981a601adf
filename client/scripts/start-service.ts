import path from 'node:path';
import { pino } from 'pino';
import { createFirstSite } from '../../server/src/commands/first-start.ts';
import { readSettings } from '../../server/src/commands/settings.ts';
import { startGatehouse } from '../../server/src/commands/start-gatehouse.ts';
import { openDatabase } from '../../server/src/storage/open.ts';

export interface Service {
  readonly url: string;
  readonly key: string;
  stop(): Promise<void>;
}

/** Starts Gatehouse with a new database in the folder, on a free port. */
export async function startService(folder: string): Promise<Service> {
  const databaseUrl = `sqlite:${path.join(folder, 'gatehouse.db')}`;
  const gatehouse = await startGatehouse(
    { ...readSettings({}), databaseUrl, port: 0 },
    { logger: pino({ level: 'silent' }), onFatal: () => process.exit(1) },
  );
  const database = openDatabase(databaseUrl);
  const key = await createFirstSite(database, gatehouse.address, new Date()).finally(() => database.close());
  return { url: gatehouse.address, key: key!, stop: () => gatehouse.stop() };
}
