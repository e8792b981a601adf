import { StoreUnavailable, UniqueViolation } from '../errors.ts';

// SQLSTATE codes (PostgreSQL, Appendix A).
const uniqueViolation = '23505';
const lockTimeout = '55P03';
const canceled = '57014';
const retried = new Set(['40001', '40P01']);
// Classes 08 (connection), 53 (resources), 57 (operator intervention), 58 (system); 25006 read-only, 55P03 lock
// timeout.
const unavailable = /^(08|53|57|58|25006$|55P03$)/;
// A statement that was prepared on another connection, and one that another client has prepared.
const unprepared = /^(26000|42P05)$/;
const readOnly = '25006';
const full = /^53[34]00$/;
const driverCodes = /^(CONNECT|ECONN|EPIPE|ETIMEDOUT|EHOST|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT|SASL_)/;

/** Translates a driver error into one of `errors.ts`. Unknown errors are returned unchanged. */
export function translatePostgresError(error: unknown): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  if (code === uniqueViolation) return new UniqueViolation(constraintOf(error), error);
  if (unprepared.test(code)) return new StoreUnavailable(new Error(prepareAdvice, { cause: error }));
  if (unavailable.test(code) || driverCodes.test(code) || retried.has(code))
    return new StoreUnavailable(error);
  return error;
}

/** Two transactions conflicted; the same transaction will succeed when run again. */
export function isWorthRetrying(error: unknown): boolean {
  return retried.has(codeOf(error) ?? '');
}

/** A statement waited too long for a lock, or was the victim of a deadlock. */
export function isLockConflict(error: unknown): boolean {
  return isWorthRetrying(error) || codeOf(error) === lockTimeout;
}

const prepareAdvice =
  'A statement was prepared on another connection: a pooler changes the connection after each transaction. Add ' +
  '?prepare=false to GATEHOUSE_DATABASE_URL.';

/** A write was sent to a standby, or to a server that accepts no writes. */
export function isFromReadOnlyServer(error: unknown): boolean {
  return codeOf(error) === readOnly;
}

/** The connection ended before there was an answer. */
export function isLostConnection(error: unknown): boolean {
  return /^(?:ECONNRESET|EPIPE|EPROTO|CONNECTION_\w+|ERR_SSL_\w+)$/.test(codeOf(error) ?? '');
}

/** A pooler does not accept a setting that was sent when the connection was opened. */
export function isParameterRefused(error: unknown): boolean {
  return codeOf(error) === '08P01' && /unsupported startup parameter/i.test((error as Error).message);
}

/** The server, or a pooler before it, has as many connections as it accepts. */
export function isServerFull(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  return (
    full.test(code) || (code === '08P01' && /no more connections allowed/i.test((error as Error).message))
  );
}

/** The user, the password or the database is wrong, or the user lacks a permission. */
export function isAccessRefused(error: unknown): boolean {
  return /^(28|3D000$|42501$)/.test(codeOf(error) ?? '');
}

/** A statement was in a conflict, or took too long for a transaction that other work shares. */
export function needsOwnTransaction(error: unknown): boolean {
  const code = codeOf(error instanceof StoreUnavailable ? error.cause : error);
  return code !== undefined && (retried.has(code) || code === canceled || code === lockTimeout);
}

/**
 * For the error of a COMMIT. Whatever it is, the transaction may have been committed, so it must not run again.
 * @throws {StoreUnavailable}
 */
export function rejectUnconfirmed(error: unknown): never {
  throw new StoreUnavailable(new Error('PostgreSQL did not confirm the commit.', { cause: error }));
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/**
 * The constraint that an error names. With Citus a constraint has the number of the shard behind its name, and an error
 * of another node names it only in the message: "access_groups_name_102038".
 */
function constraintOf(error: unknown): string {
  const { constraint_name: field, message = '' } = error as { constraint_name?: string; message?: string };
  const name = field || (quotedName.exec(message)?.[1] ?? '');
  return name.replace(shardNumber, '');
}

/** The name in `… violates unique constraint "members_email"`. Languages have different quotation marks. */
const quotedName = /["'«»„“”‘’「『]\s?([a-z_][a-z0-9_]*)\s?["'«»“”’」』]/;
/** Citus counts shards from 102008. No constraint of a migration ends like this. */
const shardNumber = /_\d{6,}$/;
