import type { Site } from '@gatehouse/contract';
import type { Logger } from 'pino';
import type { Metric } from '../../base/metrics/metric.ts';
import type { Report } from '../../base/report.ts';
import type { LoginProviderAccess } from '../../connectors/login-provider/login-provider-access.ts';
import type { WorkspaceAccess } from '../../connectors/workspaces.ts';
import { operatorSessions, type SessionLifetime } from '../../domain/sessions/session.ts';
import { shortenSessions } from '../../domain/sessions/sessions.ts';
import { findDashboardHostProblems } from '../../domain/sites/dashboard-host.ts';
import { ensureOperatorTenant } from '../../domain/sites/operator-tenant.ts';
import type { Call, CallRunner } from '../../runtime/call.ts';
import type { Database } from '../../storage/database.ts';
import { StoreUnavailable } from '../../storage/errors.ts';
import { migrate } from '../../storage/migrations/migrations.ts';
import type { Settings } from '../settings/settings.ts';
import type { WorkerLink } from '../workers/worker-link.ts';

/** A node that is back is soon noticed, and one that is not costs little. */
const shortenAgainMilliseconds = 10_000;

/** The store of a running service, and what runs its operations. */
export interface OpenedStore {
  /** Used to read keys and to check the health of the store. */
  readonly database: Database;
  /** The operators' hidden site. */
  readonly tenant: Site;
  readonly runnerFor: (call: Call) => CallRunner;
  readonly writer: CallRunner;
  /** Resolves when the store can run calls. Rejects if it cannot. */
  readonly ready: Promise<void>;
  /** To check what workspaces send. */
  readonly workspaces: WorkspaceAccess;
  /** For logins with accounts elsewhere, outside of any transaction. */
  readonly loginProviders: LoginProviderAccess;
  /** Of all threads. */
  metrics(): Promise<readonly Metric[]>;
  close(): Promise<void>;
}

export interface StoreOptions {
  readonly logger: Logger;
  /** Called once the store is up to date, before the first request is accepted. */
  readonly prepare?: (database: Database) => Promise<void>;
  /** Called when the process cannot continue because a thread of the store has ended. */
  readonly onFatal: () => void;
  /** What this process shares with others, if it is one of several workers. */
  readonly group?: WorkerLink;
  /** The file with which the threads of the embedded store start, if not the one of this program. */
  readonly operationThreadEntry?: URL;
}

/** Migrates the store, and returns the operators' hidden site. */
export async function bringUpToDate(
  database: Database,
  { publicUrl, operatorSessionIdleHours, operatorSessionDays }: Settings,
  { logger, prepare }: StoreOptions,
): Promise<Site> {
  await migrate(database, (message) => logger.info(`migration ${message}`));
  const tenant = await ensureOperatorTenant(database, publicUrl);
  const lifetime = operatorSessions(operatorSessionIdleHours, operatorSessionDays);
  await shortenOperatorSessions(database, tenant.id, lifetime, logger);
  for (const { problem, advice } of await findDashboardHostProblems(database, publicUrl)) {
    logger.warn(`${problem}. ${advice}`);
  }
  await prepare?.(database);
  return tenant;
}

/**
 * Ends the sessions of operators as the settings say now. On Citus the node with these sessions may be down while the
 * sites on other nodes need this start: then it is done as soon as the node is back.
 */
async function shortenOperatorSessions(
  database: Database,
  tenantId: string,
  lifetime: SessionLifetime,
  logger: Logger,
): Promise<void> {
  try {
    await database.transaction((tx) => shortenSessions({ db: tx, siteId: tenantId }, lifetime));
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    logger.warn({ err: error }, 'the sessions of operators cannot be read; their lifetime is set later');
    setTimeout(
      () => void shortenOperatorSessions(database, tenantId, lifetime, logger).catch(() => {}),
      shortenAgainMilliseconds,
    ).unref();
  }
}

export function reportTo(logger: Logger): Report {
  return (level, message, facts) => logger[level](facts, message);
}
