import { isThisMachine } from '../../base/networks/this-machine.ts';
import { allowsPlainSmtp } from '../../jobs/email-delivery/smtp-encryption.ts';
import { dialectOf } from '../../storage/database-url.ts';
import type { SettingName } from './setting-definitions.ts';
import { SettingError } from './setting-error.ts';

/** Checks settings that depend on each other. @throws {SettingError} */
export function checkTogether(
  value: (name: SettingName) => unknown,
  shownName: (name: SettingName) => string,
): void {
  if (value('GATEHOUSE_SMTP_URL') !== undefined && value('GATEHOUSE_MAIL_FROM') === undefined) {
    throw new SettingError(
      'GATEHOUSE_MAIL_FROM is missing',
      'Set it to the email address of the sender, because GATEHOUSE_SMTP_URL is set',
    );
  }
  if (
    value('GATEHOUSE_DATABASE_DIRECT_URL') !== undefined &&
    dialectOf(String(value('GATEHOUSE_DATABASE_URL'))) === 'sqlite'
  ) {
    throw new SettingError(
      'GATEHOUSE_DATABASE_DIRECT_URL is set, but GATEHOUSE_DATABASE_URL is a file',
      'Set GATEHOUSE_DATABASE_URL to the pooler, or remove GATEHOUSE_DATABASE_DIRECT_URL',
    );
  }
  if (value('GATEHOUSE_SITE_FOLDER') !== undefined && value('GATEHOUSE_SITE_UPSTREAM') !== undefined) {
    throw new SettingError(
      `${shownName('GATEHOUSE_SITE_FOLDER')} and ${shownName('GATEHOUSE_SITE_UPSTREAM')} are both set`,
      'Set only one of them: a site is a folder or a program',
    );
  }
  const workers = value('GATEHOUSE_WORKERS');
  const isPostgres = dialectOf(String(value('GATEHOUSE_DATABASE_URL'))) === 'postgres';
  if (workers !== 1 && !isPostgres) {
    throw new SettingError(
      `${shownName('GATEHOUSE_WORKERS')} is ${workers}, but several workers need PostgreSQL and the database is SQLite`,
      'Set GATEHOUSE_DATABASE_URL to postgres://<user>@<host>/<name>, or remove the number of workers',
    );
  }
  checkSmtp(value('GATEHOUSE_SMTP_URL') as string | undefined);
  checkMetrics(value);
  if (value('GATEHOUSE_BACKUP_FOLDER') !== undefined && isPostgres) {
    throw new SettingError(
      'GATEHOUSE_BACKUP_FOLDER is set, and PostgreSQL makes its own backups',
      'Remove it, and follow docs/operations/backup.md',
    );
  }
}

/** @throws {SettingError} */
function checkSmtp(smtpUrl: string | undefined): void {
  if (smtpUrl === undefined || !allowsPlainSmtp(smtpUrl)) return;
  const { password, hostname } = new URL(smtpUrl);
  if (password === '' || isThisMachine(hostname)) return;
  throw new SettingError(
    'GATEHOUSE_SMTP_URL has a password and turns off TLS, so that others in the network could read the password',
    'Remove ignoreTLS or requireTLS, or use a mail server that needs no password',
  );
}

/** A request to the common port leads to any of the workers, and each has its own numbers. @throws {SettingError} */
function checkMetrics(value: (name: SettingName) => unknown): void {
  const port = value('GATEHOUSE_METRICS_PORT') as number | undefined;
  const workers = value('GATEHOUSE_WORKERS') as number;
  if (workers === 1) return;
  if (port === undefined && value('GATEHOUSE_METRICS_TOKEN') !== undefined) {
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
