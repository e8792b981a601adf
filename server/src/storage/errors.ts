/** The store cannot be reached, is full, or took too long. A write may or may not have happened. */
export class StoreUnavailable extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'StoreUnavailable';
  }
}

/** A statement was not run, because the caller has left. */
export class CallerHasLeft extends Error {
  constructor() {
    super('The caller has left.');
    this.name = 'CallerHasLeft';
  }
}

/**
 * A unique constraint rejected a row. A constraint is named by its table and columns without `site_id`, the same on
 * both stores: `members_email`.
 */
export class UniqueViolation extends Error {
  readonly constraint: string;

  constructor(constraint: string, cause: unknown) {
    super(`The constraint ${constraint} rejected a row.`, { cause });
    this.name = 'UniqueViolation';
    this.constraint = constraint;
  }
}

/** The migrations in the database do not match those of this program. The message says what to do. */
export class MigrationMismatch extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MigrationMismatch';
  }
}

/** The database was closed for all services, because it is or was copied. The message says what to do. */
export class DatabaseClosed extends MigrationMismatch {
  constructor(message: string) {
    super(message);
    this.name = 'DatabaseClosed';
  }
}

/** A service uses a database that one program needs for itself. */
export class DatabaseInUse extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'DatabaseInUse';
  }
}

/** A migration could not lock a table, because other programs use it all the time. The message says what to do. */
export class MigrationBlocked extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'MigrationBlocked';
  }
}

/** The tables cannot be distributed with Citus. The message says what to do. */
export class CitusProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CitusProblem';
  }
}

/** The configured file contains no usable database. The message says what to do. */
export class UnusableDatabaseFile extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnusableDatabaseFile';
  }
}

/** The configured server, or a pooler before it, cannot be used as it is set up. The message says what to do. */
export class UnusableDatabaseServer extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnusableDatabaseServer';
  }
}

/** All connections of the server, or of a pooler before it, are in use. */
export class DatabaseServerFull extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'DatabaseServerFull';
  }
}

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return error instanceof UniqueViolation && error.constraint === constraint;
}
