import type { Operator } from '@gatehouse/contract';
import type { Command } from 'commander';
import { readSettings } from '../../app/settings/settings.ts';
import { listOperators, removeEveryPasskey } from '../../domain/operators/operators.ts';
import { requireOperatorTenant } from '../../domain/sites/operator-tenant.ts';
import { resolveIn } from '../api/references.ts';
import { addCommand, type CommonOptions, groupOf } from '../shared/add-command.ts';
import { print } from '../shared/output.ts';
import { changeSite } from '../shared/store.ts';

const maxOperators = 10_000;

export function addOperatorRemovePasskeysCommand(program: Command): void {
  addCommand(
    groupOf(program, 'operators', 'manage the operators of a site'),
    'remove-passkeys <operator>',
    'remove the passkeys of an operator who has lost them, and end the sessions',
    ['operators remove-passkeys grace@example.com --site club'],
  )
    .option('--site <slug>', 'the site (not needed if there is only one)')
    .action(removePasskeys);
}

/** No program may do this, so it is no operation. */
async function removePasskeys(
  named: string,
  { json, site: slug }: CommonOptions & { readonly site?: string },
): Promise<void> {
  const { publicUrl } = readSettings(process.env);
  const { email, removed } = await changeSite(slug, async (change) => {
    const { id: tenantId } = await requireOperatorTenant(change.db, publicUrl);
    const operators = await listOperators(change, tenantId, { limit: maxOperators });
    const { id, email } = resolveIn<Operator>('operatorId', named, operators.data);
    return { email, removed: await removeEveryPasskey(change, tenantId, id) };
  });
  const next = 'The sessions have ended. The next login is by email, and a new passkey can be added then.';
  print(json, { email, removed }, `Removed ${removed} passkeys of ${email}. ${next}`);
}
