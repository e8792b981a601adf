import { isThisMachine } from '../../base/networks/this-machine.ts';
import { allowsPlainSmtp } from '../../jobs/email-delivery/smtp-encryption.ts';
import { dialectOf } from '../../storage/database-url.ts';
import type { SettingName, SettingValues } from './setting-definitions.ts';
import { SettingError } from './setting-error.ts';

/** Checks settings that depend on each other. @throws {SettingError} */
export function checkTogether(values: SettingValues, shownName: (name: SettingName) => string): void {
  const { smtpUrl, mailFrom, siteFolder, siteUpstream, workers, backupFolder } = values;
  const isPostgres = dialectOf(values.databaseUrl) === 'postgres';
  if (smtpUrl !== undefined && mailFrom === undefined) {
    throw new SettingError(
      'GATEHOUSE_MAIL_FROM is missing',
      'Set it to the email address of the sender, because GATEHOUSE_SMTP_URL is set',
    );
  }
  if (values.databaseDirectUrl !== undefined && !isPostgres) {
    throw new SettingError(
      'GATEHOUSE_DATABASE_DIRECT_URL is set, but GATEHOUSE_DATABASE_URL is a file',
      'Set GATEHOUSE_DATABASE_URL to the pooler, or remove GATEHOUSE_DATABASE_DIRECT_URL',
    );
  }
  if (siteFolder !== undefined && siteUpstream !== undefined) {
    throw new SettingError(
      `${shownName('GATEHOUSE_SITE_FOLDER')} and ${shownName('GATEHOUSE_SITE_UPSTREAM')} are both set`,
      'Set only one of them: a site is a folder or a program',
    );
  }
  if (workers !== 1 && !isPostgres) {
    throw new SettingError(
      `${shownName('GATEHOUSE_WORKERS')} is ${workers}, but several workers need PostgreSQL and the database is SQLite`,
      'Set GATEHOUSE_DATABASE_URL to postgres://<user>@<host>/<name>, or remove the number of workers',
    );
  }
  if (smtpUrl !== undefined) checkSmtp(smtpUrl);
  if (workers !== 1) checkMetrics(values);
  if (backupFolder !== undefined && isPostgres) {
    throw new SettingError(
      'GATEHOUSE_BACKUP_FOLDER is set, and PostgreSQL makes its own backups',
      'Remove it, and follow docs/operations/backup.md',
    );
  }
}

/** @throws {SettingError} */
function checkSmtp(smtpUrl: string): void {
  if (!allowsPlainSmtp(smtpUrl)) return;
  const { password, hostname } = new URL(smtpUrl);
  if (password === '' || isThisMachine(hostname)) return;
  throw new SettingError(
    'GATEHOUSE_SMTP_URL has a password and turns off TLS, so that others in the network could read the password',
    'Remove ignoreTLS or requireTLS, or use a mail server that needs no password',
  );
}

/** A request to the common port leads to any of the workers, and each has its own numbers. @throws {SettingError} */
function checkMetrics({ metricsPort: port, metricsToken, workers }: SettingValues): void {
  if (port === undefined && metricsToken !== undefined) {
    throw new SettingError(
      'GATEHOUSE_METRICS_TOKEN is set without GATEHOUSE_METRICS_PORT, and there are several workers',
      'Set GATEHOUSE_METRICS_PORT to the first of as many free ports: each worker has its metrics at one of them',
    );
  }
  if (port !== undefined && port + workers - 1 > 65_535) {
    throw new SettingError(
      `GATEHOUSE_METRICS_PORT is ${port}, which leaves too few ports for ${workers} workers`,
      `Use a port of at most ${65_536 - workers}`,
    );
  }
}
