import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { WrongUsage } from '../../app/failure.ts';
import { readSettings, type Settings } from '../../app/settings/settings.ts';
import { createDatabase } from '../../storage/create.ts';
import type { Database } from '../../storage/database.ts';
import { dialectOf, sqlitePath } from '../../storage/database-url.ts';
import { type MigrationPlan, planMigrations } from '../../storage/migrations/migration-plan.ts';
import {
  type AppliedMigration,
  appliedMigrations,
  migrate,
  migrationsFor,
} from '../../storage/migrations/migrations.ts';
import { addCommand, type CommonOptions } from '../shared/add-command.ts';
import { print } from '../shared/output.ts';
import { openForCommand } from '../shared/store.ts';

interface MigrateOptions extends CommonOptions {
  readonly plan?: boolean;
  readonly citus?: boolean;
}

export function addMigrateCommand(program: Command): void {
  addCommand(program, 'migrate', 'apply the pending migrations to the database', [
    'migrate',
    'migrate --plan',
    'migrate --citus',
  ])
    .option('--plan', 'print what would be changed and what it locks, and change nothing')
    .option('--citus', 'then distribute the tables over the nodes of Citus')
    .action(async ({ json = false, plan = false, citus = false }: MigrateOptions) => {
      const settings = readSettings(process.env);
      if (plan && citus) throw new WrongUsage('--plan changes nothing, so it cannot be used with --citus.');
      if (plan) await printPlan(settings, json);
      else await applyMigrations(settings, json, citus);
    });
}

async function applyMigrations(settings: Settings, json: boolean, citus: boolean): Promise<void> {
  const report = (message: string) => {
    if (!json) process.stderr.write(`${message}\n`);
  };
  let applied: readonly string[] = [];
  let distributed: readonly string[] = [];
  const bringUpToDate = async (database: Database) => {
    if (citus) requireDistribution(database);
    applied = await migrate(database, report);
    if (citus) distributed = await database.distribute!();
  };
  if (citus || !(await createDatabase(settings.databaseUrl, bringUpToDate))) {
    const database = await openForCommand(settings);
    await bringUpToDate(database).finally(() => database.close());
  }
  const lines = [
    ...applied.map((name) => `Applied ${name}`),
    ...distributed.map((name) => `Distributed ${name}`),
  ];
  print(
    json,
    { applied, ...(citus && { distributed }) },
    lines.length === 0 ? 'Nothing to apply: the tables are up to date.' : lines.join('\n'),
  );
}

/** @throws {WrongUsage} */
function requireDistribution(database: Database): void {
  if (database.distribute) return;
  throw new WrongUsage(
    'SQLite has no Citus. Set GATEHOUSE_DATABASE_URL to the coordinator of a Citus cluster, or run migrate without --citus.',
  );
}

async function printPlan(settings: Settings, json: boolean): Promise<void> {
  const dialect = dialectOf(settings.databaseUrl);
  const plan = planMigrations(dialect, migrationsFor(dialect), await migrationsIn(settings));
  print(json, plan, describePlan(plan));
}

/** Opens an SQLite file only for reading, and creates none. */
async function migrationsIn(settings: Settings): Promise<AppliedMigration[]> {
  const { databaseUrl } = settings;
  if (dialectOf(databaseUrl) === 'sqlite' && !existsSync(sqlitePath(databaseUrl))) return [];
  const database = await openForCommand(settings, { readOnly: true });
  return appliedMigrations(database).finally(() => database.close());
}

function describePlan({ migrations, isNew, earlierVersionContinues }: MigrationPlan): string {
  if (migrations.length === 0) return 'Nothing to apply: the tables are up to date.';
  if (isNew) return 'The database is empty: ./gatehouse migrate creates its tables.';
  const lines = migrations.flatMap(({ name, steps }) => [
    name,
    ...steps.flatMap(({ effects }, step) =>
      effects.map(
        ({ action, meaning }, index) =>
          `${index === 0 ? `${step + 1}.`.padStart(4) : '    '} ${action}: ${meaning}`,
      ),
    ),
  ]);
  return [
    ...lines,
    earlierVersionContinues
      ? 'The version before can go on running during and after this, and can be started again.'
      : 'Stop every service of the version before first: it cannot use the database after this. To go back to that version, ' +
        'a backup from before has to be restored.',
  ].join('\n');
}
