import { dirname } from 'node:path';
import { GatehouseError } from '@gatehouse/client';
import { CommanderError } from 'commander';
import { ApiError } from '../base/api-error.ts';
import {
  CitusProblem,
  DatabaseClosed,
  DatabaseServerFull,
  MigrationBlocked,
  MigrationMismatch,
  StoreUnavailable,
  UnusableDatabaseFile,
  UnusableDatabaseServer,
} from '../storage/errors.ts';
import { translateSqliteError } from '../storage/sqlite/sqlite-errors.ts';
import { CommandFailure } from './failure.ts';
import { forbiddenFile, sqliteAdvice } from './file-failures.ts';
import { SettingError } from './settings/setting-error.ts';

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly exitCode: number;
  readonly requestId?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Describes any error for the command line. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof CommandFailure) return error;
  if (error instanceof CommanderError) return describeUsage(error);
  if (error instanceof SettingError) {
    return { code: 'invalid_setting', message: error.message, exitCode: 2 };
  }
  if (error instanceof ApiError) {
    const message = error.details?.map((detail) => detail.message).join(' ') ?? error.message;
    return { ...failed(error.code, message), exitCode: exitCodeOf(error.code) };
  }
  if (error instanceof GatehouseError) return describeResponse(error);
  if (error instanceof DatabaseClosed) return failed('database_closed', error.message);
  if (error instanceof MigrationMismatch) return failed('migration_mismatch', error.message);
  if (error instanceof MigrationBlocked) return failed('migration_blocked', error.message);
  if (error instanceof CitusProblem) return failed('not_distributed', error.message);
  if (error instanceof UnusableDatabaseFile) return failed('database_damaged', error.message);
  const reason = reasonOf(translateSqliteError(error));
  if (reason instanceof UnusableDatabaseServer) return failed('database_unusable', reason.message);
  if (reason instanceof DatabaseServerFull) return databaseFull(textOf(reason));
  return (
    describeCode(codeOf(reason), reason) ?? failed('internal_error', `Unexpected error: ${textOf(error)}`)
  );
}

/** Why there is no connection to PostgreSQL, if it is something that has its own description. */
function reasonOf(error: unknown): unknown {
  if (!(error instanceof StoreUnavailable)) return error;
  const { cause } = error;
  const isOwn = cause instanceof UnusableDatabaseServer || cause instanceof DatabaseServerFull;
  return isOwn || refusedAccess.test(codeOf(cause) ?? '') ? cause : error;
}

const refusedAccess = /^(28P01|28000|3D000|42501)$/;

function failed(code: string, message: string): Failure {
  return { code, message, exitCode: 1 };
}

/** A value that the API does not accept is wrong usage, on a database as with a service. */
function exitCodeOf(code: string): number {
  return code === 'invalid_request' ? 2 : 1;
}

function describeUsage({ message }: CommanderError): Failure {
  const text = message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ');
  return { code: 'wrong_usage', message: `${text[0]?.toUpperCase()}${text.slice(1)}`, exitCode: 2 };
}

function describeResponse(error: GatehouseError): Failure {
  const { code, requestId, status, details } = error;
  // As on a database: without the sentence before the details.
  const message = details.map((detail) => detail.message).join(' ') || error.message;
  const advice: Record<string, string> = {
    invalid_api_key: 'This API key is unknown, revoked or expired. Check --key or GATEHOUSE_KEY.',
    permission_denied: `${message} Make one with ./gatehouse api-keys create.`,
    network_error: `${message} Is Gatehouse running there? See --url and GATEHOUSE_URL.`,
    rate_limited: `${message} Or use a key with a higher limit: ./gatehouse api-keys create --rate-limit 0.`,
  };
  const text = (advice[code] ?? message).replaceAll('`url`', '--url').replaceAll(/\s*\n\s*/g, ' ');
  return {
    ...failed(code, status !== undefined && status >= 500 ? `${text} (request ${requestId})` : text),
    exitCode: exitCodeOf(code),
    ...(requestId === undefined ? {} : { requestId }),
  };
}

/** A file is written under another name until it is complete. */
const temporaryMark = /\.(part|new)-[\w-]+$/;

function describeMissing(path: string): Failure {
  return temporaryMark.test(path)
    ? failed('folder_not_found', `There is no folder ${dirname(path)}. Create it, or choose another file.`)
    : failed('file_not_found', `There is no ${path}. Check the path.`);
}

/** Errors of the operating system and the stores, by code. */
function describeCode(code: string | undefined, error: unknown): Failure | undefined {
  const text = textOf(error);
  const { path, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  switch (code) {
    case 'EADDRINUSE':
      return failed(
        'port_in_use',
        `Port ${port} on ${address} is in use. Stop the other program, or choose another port with --port.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      if (!String((error as NodeJS.ErrnoException).syscall).match(/listen|getaddrinfo/)) break;
      return failed(
        'invalid_host',
        'This machine does not have this IP address. Correct GATEHOUSE_HOST or --host.',
      );
    case 'EACCES':
    case 'EPERM':
      if (port === undefined) return failed('not_permitted', forbiddenFile(path?.replace(temporaryMark, '')));
      return failed(
        'not_permitted',
        `No permission to listen on port ${port}. Choose a port of 1024 or higher with --port.`,
      );
    case 'EROFS':
      return failed(
        'read_only',
        `${path?.replace(temporaryMark, '') ?? 'This'} is on a read-only file system. Mount it for writing, in a container as a volume, or choose another place.`,
      );
    case 'ENOENT':
      if (path !== undefined) return describeMissing(path);
      break;
    case 'EISDIR':
      return failed('not_a_file', 'This is a folder. Choose a file.');
    case 'ENOSPC':
      return failed('disk_full', 'The disk is full. Free disk space and try again.');
  }
  const ofDatabase = describeDatabaseCode(code, text);
  if (ofDatabase) return ofDatabase;
  if (code !== undefined && path !== undefined)
    return failed('file_unusable', `${path} cannot be used: ${text}.`);
  return error instanceof StoreUnavailable ? describeUnavailable(error, text) : undefined;
}

/** SQLSTATE of PostgreSQL, and the code of Node for SQLite. */
function describeDatabaseCode(code: string | undefined, text: string): Failure | undefined {
  switch (code) {
    case '28P01':
    case '28000':
      return failed(
        'database_refused',
        `The database rejected the user: ${text}. Check GATEHOUSE_DATABASE_URL.`,
      );
    case '3D000':
      return failed(
        'database_missing',
        `${text}. Create it with createdb, or correct GATEHOUSE_DATABASE_URL.`,
      );
    case '42501':
      return failed(
        'database_refused',
        `The database user lacks a permission: ${text}. Grant it, or use another user in GATEHOUSE_DATABASE_URL.`,
      );
    case 'ERR_SQLITE_ERROR':
      return failed(
        'database_damaged',
        `The database file cannot be used: ${text}. Restore a backup with ./gatehouse restore.`,
      );
  }
  return undefined;
}

function describeUnavailable({ cause }: StoreUnavailable, text: string): Failure {
  const advice = sqliteAdvice(cause);
  return failed(
    'database_unavailable',
    advice ??
      `The database is unavailable: ${text}. Check GATEHOUSE_DATABASE_URL and that the database is running.`,
  );
}

function databaseFull(text: string): Failure {
  return failed(
    'database_full',
    `All connections of the database, or of a pooler before it, are in use: ${text}. Try again. If it happens often, ` +
      'raise their number (default_pool_size of PgBouncer, max_connections of PostgreSQL), or lower ' +
      'GATEHOUSE_DATABASE_POOL_SIZE of the services.',
  );
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

function textOf(error: unknown): string {
  const text = error instanceof Error ? error.message || (codeOf(error.cause) ?? error.name) : String(error);
  return text.split('\n', 1)[0]!.replace(/\.$/, '');
}
