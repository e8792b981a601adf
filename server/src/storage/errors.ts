/** The store cannot be reached, is full, or took too long. Nothing is known to have been written. */
export class StoreUnavailable extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'StoreUnavailable';
  }
}

/**
 * A unique constraint refused a row. Constraints are named by their table and columns without `site_id`, the same
 * on both stores: `members_email`.
 */
export class UniqueViolation extends Error {
  readonly constraint: string;

  constructor(constraint: string, cause: unknown) {
    super(`The constraint ${constraint} refused a row.`, { cause });
    this.name = 'UniqueViolation';
    this.constraint = constraint;
  }
}

/** The database and this program disagree about a migration. The message says what to do. */
export class MigrationMismatch extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MigrationMismatch';
  }
}

/** There is no usable database in the file that the settings name. The message says what to do. */
export class UnusableDatabaseFile extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnusableDatabaseFile';
  }
}

/** A row names another row that is not there. */
export class ForeignKeyViolation extends Error {
  constructor(cause: unknown) {
    super('A row named another row that is not there.', { cause });
    this.name = 'ForeignKeyViolation';
  }
}

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return error instanceof UniqueViolation && error.constraint === constraint;
}
