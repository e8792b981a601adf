import { ForeignKeyViolation, StoreUnavailable, UniqueViolation } from '../errors.ts';

// SQLSTATE codes (PostgreSQL, Appendix A).
const uniqueViolation = '23505';
const foreignKeyViolation = '23503';
const lockTimeout = '55P03';
const retried = new Set(['40001', '40P01']);
// Classes 08 (connection), 53 (resources), 57 (operator intervention), 58 (system); 25006 read-only standby, 55P03
// lock timeout.
const unavailable = /^(08|53|57|58|25006$|55P03$)/;
const driverCodes = /^(CONNECT|ECONN|EPIPE|ETIMEDOUT|EHOST|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT|SASL_)/;

/** Translates a driver error into one of `errors.ts`. Unknown errors are returned unchanged. */
export function translatePostgresError(error: unknown): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  if (code === uniqueViolation) return new UniqueViolation(constraintOf(error), error);
  if (code === foreignKeyViolation) return new ForeignKeyViolation(error);
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

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

function constraintOf(error: unknown): string {
  return String((error as { constraint_name?: string }).constraint_name ?? '');
}
