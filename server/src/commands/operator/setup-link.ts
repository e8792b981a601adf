import type { Command } from 'commander';
import { CommandFailure } from '../../app/failure.ts';
import { readSettings } from '../../app/settings/settings.ts';
import { setupUrl } from '../../app/start/first-start.ts';
import { requireOperatorTenant } from '../../domain/sites/operator-tenant.ts';
import { addCommand, type CommonOptions } from '../shared/add-command.ts';
import { print } from '../shared/output.ts';
import { withDatabase } from '../shared/store.ts';

export function addSetupLinkCommand(program: Command): void {
  const description = 'print a new link with which the first operator opens the dashboard';
  addCommand(program, 'setup-link', description, ['setup-link']).action(printSetupLink);
}

/** @throws {CommandFailure} `operator_exists` */
async function printSetupLink({ json }: CommonOptions): Promise<void> {
  const { publicUrl } = readSettings(process.env);
  const url = await withDatabase(async (database) => {
    // No service may have run on this database yet.
    await database.transaction((tx) => requireOperatorTenant(tx, publicUrl));
    return setupUrl(database, publicUrl, new Date());
  });
  if (url === undefined) {
    throw new CommandFailure(
      'operator_exists',
      'There is an operator already, so nobody can claim the dashboard. Log in at ' +
        `${publicUrl}/dashboard/login, or invite somebody: ./gatehouse operators invite --email <email> --role owner`,
    );
  }
  print(json, { setupUrl: url }, `Open the dashboard within a day: ${url}`);
}
