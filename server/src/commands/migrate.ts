import type { Command } from 'commander';
import type { Database } from '../storage/database.ts';
import { migrate } from '../storage/migrations.ts';
import { createDatabase } from '../storage/open.ts';
import { addCommand, type CommonOptions } from './add-command.ts';
import { print } from './output.ts';
import { readSettings } from './settings.ts';
import { openForCommand } from './store.ts';

export function addMigrateCommand(program: Command): void {
  addCommand(program, 'migrate', 'apply the pending migrations to the database', ['migrate']).action(
    async ({ json }: CommonOptions) => {
      const { databaseUrl } = readSettings(process.env);
      let applied: readonly string[] = [];
      const bringUpToDate = async (database: Database) => {
        applied = await migrate(database);
      };
      if (!(await createDatabase(databaseUrl, bringUpToDate))) {
        const database = openForCommand(databaseUrl);
        await bringUpToDate(database).finally(() => database.close());
      }
      print(
        json,
        { applied },
        applied.length === 0
          ? 'Nothing to apply: the tables are up to date.'
          : applied.map((name) => `Applied ${name}`).join('\n'),
      );
    },
  );
}
