import path from 'node:path';
import { defaultPermissions } from '@gatehouse/contract/permissions';
import { pino } from 'pino';
import { readSettings } from '../../server/src/app/settings/settings.ts';
import { startGatehouse } from '../../server/src/app/start-gatehouse.ts';
import { systemContext } from '../../server/src/base/change-context.ts';
import { newId } from '../../server/src/base/ids.ts';
import { createApiKey } from '../../server/src/domain/api-keys/api-keys.ts';
import { makeChange } from '../../server/src/domain/events/change.ts';
import { createSite } from '../../server/src/domain/sites/sites.ts';
import { openDatabase } from '../../server/src/storage/open.ts';

export interface Service {
  readonly url: string;
  readonly key: string;
  stop(): Promise<void>;
}

/** The examples need some permissions that keys do not have by default. */
const permissions = [
  ...defaultPermissions,
  'sources:write',
  'login-links:write',
  'invitations:read',
  'invitations:write',
  'join-requests:read',
  'join-requests:write',
] as const;

/** Starts Gatehouse with a new database in the folder, on a free port. */
export async function startService(folder: string): Promise<Service> {
  const databaseUrl = `sqlite:${path.join(folder, 'gatehouse.db')}`;
  const gatehouse = await startGatehouse(
    { ...readSettings({}), databaseUrl, port: 0 },
    { logger: pino({ level: 'silent' }), onFatal: () => process.exit(1) },
  );
  const key = await createKey(databaseUrl);
  return { url: gatehouse.address, key, stop: () => gatehouse.stop() };
}

async function createKey(databaseUrl: string): Promise<string> {
  const database = openDatabase(databaseUrl);
  const context = systemContext(new Date().toISOString());
  const created = database.transaction((tx) =>
    makeChange({ db: tx, siteId: newId() }, context, async (change) => {
      await createSite(change, { slug: 'main', title: 'My site', domain: 'localhost' });
      return createApiKey(change, { name: 'Examples', permissions });
    }),
  );
  return (await created.finally(() => database.close())).secret;
}
