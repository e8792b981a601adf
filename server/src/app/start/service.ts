import type { Logger } from 'pino';
import { onIdsAhead } from '../../base/ids-ahead.ts';
import { findAccessRules } from '../../domain/access-rules/access-rules.ts';
import { findSiteBySlug } from '../../domain/sites/sites.ts';
import type { Database } from '../../storage/database.ts';
import { chooseSite, firstSiteUrl } from '../built-in-site.ts';
import { describePublicRoot } from '../public-root.ts';
import { absoluteUrl, deleteIdsAhead, type ServiceTokens, writeIdsAhead } from '../service-state.ts';
import type { Settings } from '../settings/settings.ts';
import type { Gatehouse } from '../start-gatehouse.ts';
import type { WorkerLink } from '../workers/worker-link.ts';
import { FirstSecretsFile, type Secrets } from './first-secrets.ts';
import { createFirstSite, setupUrl } from './first-start.ts';
import { printFirstKey } from './first-steps.ts';
import type { ServeSettings } from './serve-settings.ts';

/** A service that serves requests, with what its start created. */
export interface StartedService {
  readonly gatehouse: Gatehouse;
  /** The key of a new installation, which is shown only once. */
  readonly firstKey: string | undefined;
  /** The URL at which the first operator becomes the owner; undefined if there is an operator. */
  readonly setupUrl: string | undefined;
  /** The file that has them instead. */
  readonly secretsFile: string | undefined;
}

export interface ServiceOptions {
  readonly logger: Logger;
  readonly tokens: ServiceTokens;
  readonly json: boolean;
  readonly onFatal: () => void;
  /** The other workers, and whether this one is the first. */
  readonly group?: { readonly link: WorkerLink; readonly isFirst: boolean };
}

/** Starts the service in this process. The first worker, or the only process, prepares a new installation. */
export async function startService(
  { isSample, withoutSample: _, hidesSecrets, ...settings }: ServeSettings,
  { logger, tokens, json, onFatal, group }: ServiceOptions,
): Promise<StartedService> {
  const isFirst = group?.isFirst ?? true;
  const created: { firstKey?: string | undefined; setupUrl?: string | undefined } = {};
  const file = new FirstSecretsFile(settings.databaseUrl, logger);
  // Loaded after the settings are checked, and not for `--help`.
  const stopIds = observeIds(settings.databaseUrl, logger);
  const { startGatehouse } = await import('../start-gatehouse.ts');
  const gatehouse = await startGatehouse(settings, {
    logger,
    selfCheck: { ...tokens, settings: { ...settings, databaseUrl: absoluteUrl(settings.databaseUrl) } },
    onFatal,
    callers: file,
    ...(group && { group: group.link, sharesPorts: !isFirst }),
    ...(isFirst && {
      prepare: async (database) => {
        created.firstKey = await createFirstSite(
          database,
          { url: firstSiteUrl(settings), isSample },
          new Date(),
        );
        created.setupUrl = await setupUrl(database, settings.publicUrl, new Date());
        await warnOfPublicRoot(database, settings, logger);
      },
    }),
  }).catch((error) => {
    stopIds();
    // For example, a thread of the store could not start: the database now exists, and no later start shows its key.
    if (created.firstKey !== undefined && hidesSecrets) file.write(created);
    else if (created.firstKey !== undefined) printFirstKey(created.firstKey, json);
    throw error;
  });
  return {
    gatehouse: stoppingIds(gatehouse, stopIds),
    ...(hidesSecrets ? written(file, created) : shown(created)),
  };
}

function shown({ firstKey, setupUrl }: Secrets) {
  return { firstKey, setupUrl, secretsFile: undefined };
}

function written(file: FirstSecretsFile, created: Secrets) {
  const secretsFile = created.setupUrl === undefined ? undefined : file.write(created);
  return { firstKey: undefined, setupUrl: undefined, secretsFile };
}

/** Lets doctor know when ids are ahead of the clock. Returns a function that stops it. */
function observeIds(databaseUrl: string, logger: Logger): () => void {
  const stop = onIdsAhead((lastTime) => {
    try {
      writeIdsAhead(databaseUrl, lastTime);
    } catch (error) {
      logger.warn({ err: error }, 'doctor cannot learn that IDs are ahead of the clock');
    }
  });
  return () => {
    stop();
    deleteIdsAhead(databaseUrl);
  };
}

function stoppingIds(gatehouse: Gatehouse, stopIds: () => void): Gatehouse {
  const stop = async () => {
    stopIds();
    await gatehouse.stop();
  };
  return { ...gatehouse, stop };
}

/** A program may show a protected page at other addresses, and here `/` leads to all of them. */
async function warnOfPublicRoot(
  database: Database,
  { siteUpstream, site: named }: Settings,
  logger: Logger,
): Promise<void> {
  if (siteUpstream === undefined) return;
  const site = await findSiteBySlug(database, await chooseSite(database, named));
  const problem = describePublicRoot((await findAccessRules({ db: database, siteId: site!.id })).rules);
  if (problem !== undefined) {
    logger.warn({ site: site!.slug }, `In the access rules ${problem}. Run doctor for what to do`);
  }
}
