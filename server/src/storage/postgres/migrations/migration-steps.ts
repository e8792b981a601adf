import { setTimeout as sleep } from 'node:timers/promises';
import { version } from '../../../base/version.ts';
import type {
  BatchStep,
  ConcurrentStep,
  Migration,
  ReportProgress,
  TransactionStep,
} from '../../database.ts';
import { MigrationBlocked } from '../../errors.ts';
import { batchCondition } from '../../migrations/migration-file.ts';
import { statementsOf } from '../../sql/sql-script.ts';
import { hasCitus } from '../citus/citus-catalog.ts';
import { readerOf } from '../citus/distribution.ts';
import type { PostgresConnection } from '../connections/postgres-connection.ts';
import { isLockConflict } from '../postgres-errors.ts';
import { describeStep } from '../statement-locks.ts';

/** Requests that arrive after a migration queue behind the lock that it waits for, so it gives up soon and retries. */
const lockMilliseconds = 200;
/** The server ends the transaction of a process that is frozen in the middle of it. */
const idleMilliseconds = 5_000;
const rowsInBatch = 1_000;
const reportMilliseconds = 5_000;
/** About five minutes with the pauses below. */
const maxAttempts = 60;

/** The only form in which a migration creates an extension (`migration-rules.test.ts`). */
export const extensionStatement = /^CREATE EXTENSION IF NOT EXISTS (\w+);$/gm;

/** The pause grows, so that a table that is in use for long is locked less and less often. */
function pauseMilliseconds(attempt: number): number {
  return Math.min(attempt * 500, 5_000);
}

/** Runs the steps of a migration. What is done is recorded with each step, so that the next run continues there. */
export class MigrationSteps {
  readonly #connection: PostgresConnection;
  readonly #migration: Migration;
  readonly #report: ReportProgress;
  readonly #wait: (milliseconds: number) => Promise<void>;
  /** The steps that still have to run, and in the first of them the last key whose rows are done, as recorded. */
  #remaining = 0;
  #resumeAfter: string | null = null;

  constructor(
    connection: PostgresConnection,
    migration: Migration,
    report: ReportProgress,
    wait: (milliseconds: number) => Promise<void> = sleep,
  ) {
    this.#connection = connection;
    this.#migration = migration;
    this.#wait = wait;
    this.#report = (message) => report(`${migration.name}: ${message}`);
  }

  async apply(remaining: number): Promise<void> {
    const { name, steps } = this.#migration;
    this.#remaining = remaining;
    const { rows } = await this.#connection.query('SELECT resume_after FROM migrations WHERE name = $1', [
      name,
    ]);
    this.#resumeAfter = rows[0]?.resume_after ?? null;
    for (const [index, step] of steps.entries()) {
      if (index < steps.length - remaining) continue;
      const which = steps.length === 1 ? '' : ` (step ${index + 1} of ${steps.length})`;
      this.#report(`${describeStep(steps, index)}${which}`);
      if (step.kind === 'transaction') await this.#applyInTransaction(step);
      else if (step.kind === 'concurrently') await this.#applyConcurrently(step);
      else await this.#applyInBatches(step);
    }
  }

  async #applyInTransaction(step: TransactionStep): Promise<void> {
    const script = await this.#withoutPresentExtensions(step.script);
    const isCitus = await hasCitus(readerOf(this.#connection));
    await this.#retry(async () => {
      await this.#begin();
      await this.#record(this.#remaining - 1, null);
      // Sent at once, so that no lock is held while this process and the server talk. Citus passes on what was sent with an
      // ALTER TABLE to nodes that take one statement at a time.
      const parts = isCitus ? [...statementsOf(script), 'COMMIT'] : [`${script}\n;COMMIT`];
      for (const part of parts) await this.#connection.query(part, []);
    });
    this.#advance(this.#remaining - 1, null);
  }

  /** Citus requires the owner of an extension for `IF NOT EXISTS` too, so one that a superuser has created is left out. */
  async #withoutPresentExtensions(script: string): Promise<string> {
    if (script.search(extensionStatement) === -1) return script;
    const { rows } = await this.#connection.query('SELECT extname AS name FROM pg_extension', []);
    return script.replaceAll(extensionStatement, (statement, extension) =>
      rows.some(({ name }) => name === extension) ? '' : statement,
    );
  }

  async #applyConcurrently({ script, index }: ConcurrentStep): Promise<void> {
    await this.#retry(async () => {
      await this.#dropIfInvalid(index);
      const exists = (await this.#isValid(index)) !== undefined;
      if (exists && /^CREATE/i.test(script)) return; // It was built, but not recorded.
      try {
        await this.#connection.query(script, []);
      } catch (error) {
        // An invalid unique index would still reject rows. If the connection was lost, the next run drops it.
        await this.#dropIfInvalid(index).catch(() => {});
        throw error;
      }
    });
    await this.#record(this.#remaining - 1, null);
    this.#advance(this.#remaining - 1, null);
  }

  async #applyInBatches(step: BatchStep): Promise<void> {
    let changed = 0;
    let reportedAt = performance.now();
    for (let isLast = false; !isLast; ) {
      const startedAt = performance.now();
      const after = this.#resumeAfter === null ? null : (JSON.parse(this.#resumeAfter) as string[]);
      const until = await this.#lastKeyOfBatch(step, after);
      isLast = until === null;
      const next = [
        isLast ? this.#remaining - 1 : this.#remaining,
        isLast ? null : JSON.stringify(until),
      ] as const;
      changed += await this.#retry(async () => {
        await this.#begin();
        await this.#record(...next);
        const { text, values } = batchOf(step, after, until);
        const { count } = await this.#connection.query(text, values);
        await this.#connection.query('COMMIT', []);
        return count;
      });
      this.#advance(...next);
      const now = performance.now();
      if (now - reportedAt > reportMilliseconds) {
        this.#report(`${changed.toLocaleString('en')} rows changed so far`);
        reportedAt = now;
      }
      // Requests get at least half of the time.
      if (!isLast) await this.#wait(now - startedAt);
    }
  }

  async #lastKeyOfBatch(
    { table, key }: BatchStep,
    after: readonly string[] | null,
  ): Promise<string[] | null> {
    const texts = key.map((column) => `${column}::text AS ${column}`).join(', ');
    const order = key.map((column) => `${table}.${column}`).join(', ');
    const condition = after === null ? '' : `WHERE ${compared(table, key, '>', 1)}`;
    const { rows } = await this.#connection.query(
      `SELECT ${texts} FROM ${table} ${condition} ORDER BY ${order} OFFSET ${rowsInBatch - 1} LIMIT 1`,
      after ?? [],
    );
    const [row] = rows;
    return row === undefined ? null : key.map((column) => row[column] as string);
  }

  async #begin(): Promise<void> {
    await this.#connection.query(
      `BEGIN; SET LOCAL lock_timeout = ${lockMilliseconds};
       SET LOCAL idle_in_transaction_session_timeout = ${idleMilliseconds}`,
      [],
    );
  }

  /** Records what is done. It fails if another process has recorded the same, which has then also done it. */
  async #record(remaining: number, resumeAfter: string | null): Promise<void> {
    const { name, hash, usableFrom } = this.#migration;
    const { count } = await this.#connection.query(
      `INSERT INTO migrations (name, hash, usable_from, version, remaining_steps, resume_after)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (name) DO UPDATE
       SET version = EXCLUDED.version, remaining_steps = EXCLUDED.remaining_steps,
         resume_after = EXCLUDED.resume_after, applied_at = now()
       WHERE migrations.remaining_steps = $7 AND migrations.resume_after IS NOT DISTINCT FROM $8`,
      [name, hash, usableFrom, version, remaining, resumeAfter, this.#remaining, this.#resumeAfter],
    );
    if (count === 1) return;
    throw new Error(
      `Another process is applying the migration ${name} too. Migrate without a pooler between Gatehouse and PostgreSQL, ` +
        'or through one that keeps sessions.',
    );
  }

  #advance(remaining: number, resumeAfter: string | null): void {
    this.#remaining = remaining;
    this.#resumeAfter = resumeAfter;
  }

  /** Whether an index is complete; undefined when there is none with this name. */
  async #isValid(index: string): Promise<boolean | undefined> {
    const { rows } = await this.#connection.query(
      'SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)',
      [index],
    );
    return rows[0]?.indisvalid;
  }

  /** Drops what an interrupted attempt has left. */
  async #dropIfInvalid(index: string): Promise<void> {
    if ((await this.#isValid(index)) !== false) return;
    this.#report(`drops the incomplete index ${index} of an earlier attempt`);
    // On Citus the shards may be without the index that the coordinator has.
    await this.#connection.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`, []);
  }

  /** Repeats work that could not lock what it needs. */
  async #retry<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        await this.#connection.query('ROLLBACK', []).catch(() => this.#connection.lose());
        if (!isLockConflict(error)) throw error;
        const user = await this.#oldestTransaction();
        if (attempt === maxAttempts) {
          throw new MigrationBlocked(
            `The migration ${this.#migration.name} could not lock a table for five minutes, because others use it. ${user} ` +
              'End it or wait until it has ended, then migrate again: what is done already stays.',
            error,
          );
        }
        if (attempt === 1 || attempt % 10 === 0)
          this.#report(`a table is in use, trying again until it is free. ${user}`);
        await this.#wait(pauseMilliseconds(attempt));
      }
    }
  }

  async #oldestTransaction(): Promise<string> {
    const { rows } = await this.#connection.query(
      `SELECT pid, application_name AS name, to_char(xact_start AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') AS since
       FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
       ORDER BY xact_start LIMIT 1`,
      [],
    );
    const [row] = rows;
    if (row === undefined) return 'No other transaction is open now.';
    const program = row.name === '' ? 'a program without a name' : row.name;
    return `The oldest open transaction is that of process ${row.pid} of PostgreSQL (${program}), since ${row.since} UTC.`;
  }
}

/** The statement of a batch: the rows after a key, up to another one or to the end. */
function batchOf(
  { script, table, key }: BatchStep,
  after: readonly string[] | null,
  until: readonly string[] | null,
): { text: string; values: string[] } {
  const conditions = [
    ...(after === null ? [] : [compared(table, key, '>', 1)]),
    ...(until === null ? [] : [compared(table, key, '<=', (after?.length ?? 0) + 1)]),
  ];
  const condition = conditions.length === 0 ? 'true' : `(${conditions.join(' AND ')})`;
  return { text: script.replace(batchCondition, condition), values: [...(after ?? []), ...(until ?? [])] };
}

/** Compares the key as a whole, as the index of the primary key does. */
function compared(
  table: string,
  key: readonly string[],
  operator: '>' | '<=',
  firstParameter: number,
): string {
  const columns = key.map((column) => `${table}.${column}`).join(', ');
  const parameters = key.map((_, index) => `$${firstParameter + index}`).join(', ');
  return `(${columns}) ${operator} (${parameters})`;
}
