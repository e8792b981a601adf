import type { Command } from 'commander';
import { migrate } from '../storage/migrations.ts';
import { addCommand, type CommonOptions } from './command.ts';
import { print } from './output.ts';
import { readSettings } from './settings.ts';
import { openForCommand } from './store.ts';

export function addMigrateCommand(program: Command): void {
  addCommand(program, 'migrate', 'bring the tables of the database up to date', ['migrate']).action(
    async ({ json }: CommonOptions) => {
      const database = openForCommand(readSettings(process.env).databaseUrl);
      const applied = await migrate(database).finally(() => database.close());
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
