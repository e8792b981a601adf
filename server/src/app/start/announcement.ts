import type { Logger } from 'pino';
import { commit, version } from '../../base/version.ts';
import { TrustedProxies } from '../../http/shared/requests/site-request.ts';
import { dialectOf } from '../../storage/database-url.ts';
import { type ServiceTokens, writeServiceState } from '../service-state.ts';
import { findExposedSettings, findSettingsFile } from '../settings/given-settings.ts';
import { findPlainConnections } from '../settings/plain-connections.ts';
import { findServiceLinks } from '../settings/service-links.ts';
import { printFirstSteps } from './first-steps.ts';
import type { ServeSettings } from './serve-settings.ts';

/** A service that serves requests, as plain data. */
export interface ReadyService {
  readonly address: string;
  readonly siteAddress?: string | undefined;
  readonly metricsAddress?: string | undefined;
  /** The key of a new installation, which is shown only once. */
  readonly firstKey?: string | undefined;
  /** The URL at which the first operator becomes the owner; undefined if there is an operator. */
  readonly setupUrl?: string | undefined;
  /** The file that has them instead. */
  readonly secretsFile?: string | undefined;
}

/** Logs where the service is, and prints the first steps of a new installation. */
export function announce(settings: ServeSettings, ready: ReadyService, logger: Logger, json: boolean): void {
  const { publicUrl, isSample, withoutSample, workers } = settings;
  const { address, siteAddress, metricsAddress, firstKey, setupUrl, secretsFile } = ready;
  const facts = {
    version,
    commit: commit ?? null,
    address,
    store: dialectOf(settings.databaseUrl),
    settingsFile: findSettingsFile() ?? null,
    ...(workers > 1 && { workers }),
  };
  logger.info(facts, `Gatehouse is ready at ${publicUrl}`);
  warnOfExposure(settings, logger);
  const links = findServiceLinks(process.env);
  if (links.length > 0) {
    logger.info(
      { variables: links },
      `These variables are not settings, because Kubernetes sets them for its services: ${links.join(', ')}`,
    );
  }
  const siteUrl = siteAddress && `http://localhost:${new URL(siteAddress).port}`;
  if (siteUrl !== undefined) logger.info({ siteAddress }, whereSiteIs(siteUrl, settings));
  if (metricsAddress !== undefined)
    logger.info({ metricsAddress }, `The metrics are at ${metricsAddress}/metrics`);
  if (withoutSample) {
    logger.info(
      'The sample site is not served, because this installation is not new. Serve your own pages with --folder',
    );
  }
  if (secretsFile !== undefined) {
    logger.info(
      { secretsFile },
      `The link to the dashboard and the first API key are in ${secretsFile}. The command setup-link prints another link`,
    );
  }
  if (setupUrl === undefined) return;
  const sendsEmail = settings.smtpUrl !== undefined;
  printFirstSteps({ publicUrl, dashboard: setupUrl, firstKey, siteUrl, isSample, sendsEmail }, json);
}

/** Behind a proxy on this machine, the local address is for that proxy only: others on the machine look the same. */
function whereSiteIs(siteUrl: string, { trustedProxies }: ServeSettings): string {
  return new TrustedProxies(trustedProxies).trusts('127.0.0.1')
    ? `The site is at its domain. Its proxy reaches it at ${siteUrl}`
    : `The site is at ${siteUrl}. A proxy can serve it at its domain`;
}

/** Says which secrets others can read because of a setting. */
function warnOfExposure(settings: ServeSettings, logger: Logger): void {
  for (const { setting, host, content } of findPlainConnections(settings))
    logger.warn({ setting, host }, `The connection to ${host} is not encrypted: others can read ${content}`);
  const file = findExposedSettings();
  if (file !== undefined)
    logger.warn({ file }, `${file} contains a secret, and other users of this machine can read it`);
}

/** Lets doctor find this process. Returns a function that undoes it. */
export function registerService(
  { databaseUrl }: ServeSettings,
  { address }: ReadyService,
  tokens: ServiceTokens,
  logger: Logger,
): () => void {
  try {
    return writeServiceState(address, tokens, databaseUrl);
  } catch (error) {
    logger.warn({ err: error }, 'doctor cannot find this service');
    return () => {};
  }
}
