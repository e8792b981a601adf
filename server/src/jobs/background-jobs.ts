import type { QueuedWork } from '../base/change-context.ts';
import type { Clock } from '../base/clock.ts';
import type { Metric } from '../base/metrics/metric.ts';
import { factsOf, type Report } from '../base/report.ts';
import { systemTimers } from '../base/timers.ts';
import type { Tracing } from '../base/traces/tracing.ts';
import { WorkspaceAccess, type WorkspaceSettings } from '../connectors/workspaces.ts';
import type { EmailLimits } from '../domain/emails/email-budget.ts';
import type { EmailComposer } from '../domain/emails/email-composer.ts';
import { hasActiveInvitation } from '../domain/invitations/invitations.ts';
import { linkEnd } from '../domain/login-links/login-link.ts';
import { startLinkTime } from '../domain/login-links/login-links.ts';
import { makeBackupInThread } from '../runtime/threads/backup-thread.ts';
import { ListThread } from '../runtime/threads/list-thread.ts';
import type { ThreadOnDemand } from '../runtime/threads/thread-on-demand.ts';
import type { Database } from '../storage/database.ts';
import { type BackupSettings, Backups } from './backups/backups.ts';
import { EmailDelivery, type EmailDeliveryParts } from './email-delivery/email-delivery.ts';
import { EmailMetrics } from './email-delivery/email-metrics.ts';
import { createSmtpTransport } from './email-delivery/smtp-transport.ts';
import { JoinRequestNotices } from './join-request-notices.ts';
import { LoginRequestWorker } from './login-request-worker.ts';
import { Purging } from './purging.ts';
import { JobRunner } from './runner.ts';
import { SecretRenewal } from './secret-renewal.ts';
import { runSync, type SyncParts } from './source-sync/run-sync.ts';
import { type CarryOutRun, SourceSync } from './source-sync/source-sync.ts';
import { type SenderCalls, senderThread } from './webhook-delivery/sender-thread.ts';
import { WebhookDelivery } from './webhook-delivery/webhook-delivery.ts';

export interface BackgroundSettings {
  readonly eventRetentionDays: number;
  readonly purgeIntervalSeconds: number;
  /** Undefined to leave emails in the store instead of sending them. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string | undefined;
  readonly mailFromName?: string | undefined;
  readonly emailLimits: EmailLimits;
  readonly workspaces: WorkspaceSettings;
  /** Of an SQLite database; undefined for none. */
  readonly backups?: BackupSettings | undefined;
}

export interface BackgroundParts {
  readonly database: Database;
  readonly composer: EmailComposer;
  readonly clock: Clock;
  readonly report: Report;
  /** Carries out synchronizations elsewhere instead of in this thread. */
  readonly carryOut?: CarryOutRun;
  readonly tracing?: Tracing | undefined;
}

/**
 * The work outside of requests: login requests, emails, sources, webhooks, renewing secrets, purging, and backups.
 */
export class BackgroundJobs {
  readonly #runner: JobRunner;
  readonly #loginRequests: LoginRequestWorker;
  readonly #sourceSync: SourceSync;
  readonly #webhookDelivery: WebhookDelivery;
  readonly #sender: ThreadOnDemand<SenderCalls>;
  readonly #lists: ListThread;
  readonly #workspaces: WorkspaceAccess;
  readonly #emailMetrics = new EmailMetrics();

  constructor(settings: BackgroundSettings, parts: BackgroundParts) {
    const { database, composer, clock, report, carryOut, tracing } = parts;
    const { emailLimits: limits, eventRetentionDays } = settings;
    const timers = systemTimers;
    const emailDelivery = new EmailDelivery({
      ...emailDeliveryParts(settings, parts),
      metrics: this.#emailMetrics,
      tracing,
    });
    this.#loginRequests = new LoginRequestWorker({
      database,
      clock,
      emails: { composer, limits },
      onProcessed: (siteId) => this.#runner.wake(emailDelivery.name, siteId),
    });
    const joinRequestNotices = new JoinRequestNotices({
      database,
      clock,
      composer,
      onQueued: (siteId) => this.#runner.wake(emailDelivery.name, siteId),
    });
    const intervalSeconds = settings.purgeIntervalSeconds;
    const purging = new Purging({ database, clock, timers, eventRetentionDays, intervalSeconds });
    this.#lists = new ListThread(timers);
    this.#workspaces = new WorkspaceAccess(settings.workspaces, clock, {
      tracing,
      readTable: (list) => this.#lists.readTable(list),
    });
    const { secrets } = this.#workspaces;
    const syncHere = carryOutHere(parts, this.#workspaces);
    this.#sourceSync = new SourceSync({ database, clock, carryOut: carryOut ?? syncHere });
    const secretRenewal = new SecretRenewal({ database, secrets });
    this.#sender = senderThread({ outgoing: settings.workspaces.outgoing }, report, timers);
    this.#webhookDelivery = new WebhookDelivery({
      database,
      clock,
      timers,
      secrets,
      composer,
      random: Math.random,
      send: (message, signal) => this.#sender.call('send', message, { signal }),
    });
    const jobs = [
      this.#loginRequests,
      joinRequestNotices,
      emailDelivery,
      this.#sourceSync,
      this.#webhookDelivery,
      secretRenewal,
      purging,
      ...scheduledBackups(settings, parts),
    ];
    this.#runner = new JobRunner(jobs, {
      database,
      clock,
      timers,
      onError: ({ errorMessage }, error) => report('warn', errorMessage, factsOf(error)),
      tracing,
    });
  }

  start(): void {
    this.#runner.start();
  }

  /** Called when a site has new work. Login requests are processed before emails. */
  wake(siteId: string, work: QueuedWork): void {
    const jobs = {
      emails: this.#loginRequests,
      'source-runs': this.#sourceSync,
      events: this.#webhookDelivery,
    };
    this.#runner.wake(jobs[work].name, siteId);
  }

  metrics(): readonly Metric[] {
    return [...this.#runner.metrics(), ...this.#emailMetrics.collect(), ...this.#webhookDelivery.metrics()];
  }

  async stop(): Promise<void> {
    await this.#runner.stop();
    await Promise.all([this.#workspaces.close(), this.#lists.close(), this.#sender.close()]);
  }
}

function carryOutHere({ database, clock }: BackgroundParts, workspaces: WorkspaceAccess): CarryOutRun {
  const parts: SyncParts = {
    database,
    clock,
    timers: systemTimers,
    random: Math.random,
    open: (...of) => workspaces.open(...of),
  };
  return (claimed, stopping) => runSync(parts, claimed, stopping);
}

function scheduledBackups(
  { backups }: BackgroundSettings,
  { database: store, clock, report }: BackgroundParts,
): Backups[] {
  if (!backups) return [];
  return [new Backups({ ...backups, store, clock, report, makeBackup: makeBackupInThread })];
}

function emailDeliveryParts(
  { smtpUrl, mailFrom, mailFromName }: BackgroundSettings,
  { database, clock, report }: BackgroundParts,
): EmailDeliveryParts {
  return {
    database,
    clock,
    timers: systemTimers,
    transport: smtpUrl === undefined ? undefined : createSmtpTransport(smtpUrl, mailFrom!, mailFromName),
    beforeSend: async (view, email) => {
      const now = clock().toISOString();
      if (email.type === 'member_invitation') return hasActiveInvitation({ ...view, now }, email);
      // The lifetime of a link begins when its email is sent, so a delayed email still has a valid link.
      return email.loginLinkId === null || startLinkTime(view, email.loginLinkId, linkEnd(now));
    },
    log: {
      notSent: ({ text, ...facts }) =>
        report('info', `An email was not sent because no mail server is configured:\n${text}`, facts),
      failed: (facts) => report('warn', 'an email could not be sent', facts),
    },
  };
}
