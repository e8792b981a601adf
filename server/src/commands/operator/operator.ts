import type { Operator, OperatorRole, Site } from '@gatehouse/contract';
import { normalizeEmail } from '@gatehouse/contract/email-address';
import { operatorRoles } from '@gatehouse/contract/permissions';
import { type Command, Option } from 'commander';
import { CommandFailure } from '../../app/failure.ts';
import { readSettings } from '../../app/settings/settings.ts';
import type { Change } from '../../domain/events/change.ts';
import {
  inviteOperator,
  listOperators,
  removeEveryPasskey,
  removeOperator,
} from '../../domain/operators/operators.ts';
import { requireOperatorTenant } from '../../domain/sites/operator-tenant.ts';
import { emailComposer } from '../../pages/emails/email-composer.ts';
import { addCommand, type CommonOptions } from '../shared/add-command.ts';
import { print, table } from '../shared/output.ts';
import { changeSite } from '../shared/store.ts';

interface SiteOptions extends CommonOptions {
  readonly site?: string;
}

interface InviteOptions extends SiteOptions {
  readonly role: OperatorRole;
  readonly name?: string;
}

const siteOption = ['--site <slug>', 'the site (not needed if there is only one)'] as const;
const maxOperators = 10_000;

export function addOperatorCommands(program: Command): void {
  const operator = program.command('operator').description('manage the operators of a site');

  addCommand(operator, 'invite <email>', 'give a person a role, and send an invitation to the dashboard', [
    'operator invite grace@example.com --site club --role admin',
  ])
    .option(...siteOption)
    .addOption(
      new Option('--role <role>', 'what the operator may do').choices(operatorRoles).makeOptionMandatory(),
    )
    .option('--name <name>', 'the display name of the operator')
    .action(invite);

  addCommand(operator, 'list', 'list the operators of a site', ['operator list --site club'])
    .option(...siteOption)
    .action(list);

  addCommand(operator, 'remove <email>', 'remove an operator from a site, with immediate effect', [
    'operator remove grace@example.com --site club',
  ])
    .option(...siteOption)
    .action(remove);

  addCommand(
    operator,
    'remove-passkeys <email>',
    'remove the passkeys of an operator who has lost them, and end the sessions',
    ['operator remove-passkeys grace@example.com --site club'],
  )
    .option(...siteOption)
    .action(removePasskeys);
}

async function invite(email: string, { json, site: slug, role, name }: InviteOptions): Promise<void> {
  const emails = { composer: emailComposer, limits: readSettings(process.env).emailLimits };
  const input = { email, role, ...(name !== undefined && { displayName: name }) };
  const { operator, endedSetupLink } = await onSite(slug, (change, tenant) =>
    inviteOperator(change, tenant, input, emails),
  );
  const note = endedSetupLink
    ? '\nThe setup link that the service printed no longer works, because there is an operator now.'
    : '';
  print(
    json,
    { ...operator, endedSetupLink },
    `Invited ${operator.email} as ${role}. The email is sent as soon as Gatehouse is running.${note}`,
  );
}

async function list({ json, site: slug }: SiteOptions): Promise<void> {
  const operators = await onSite(slug, (change, tenant) => operatorsOf(change, tenant));
  const hint = 'The site has no operator yet. Invite one: ./gatehouse operator invite <email> --role owner';
  print(json, operators, operators.length === 0 ? hint : operatorTable(operators));
}

async function remove(email: string, { json, site: slug }: SiteOptions): Promise<void> {
  const operator = await onSite(slug, async (change, tenant, site) => {
    const found = await findOperator(change, tenant, site, email);
    await removeOperator(change, tenant.id, found.id);
    return found;
  });
  print(json, operator, `${operator.email} no longer has a role on the site.`);
}

async function removePasskeys(email: string, { json, site: slug }: SiteOptions): Promise<void> {
  const { address, removed } = await onSite(slug, async (change, tenant, site) => {
    const found = await findOperator(change, tenant, site, email);
    const removed = await removeEveryPasskey(change, tenant.id, found.id);
    return { address: found.email, removed };
  });
  const next = 'The sessions have ended. The next login is by email, and a new passkey can be added then.';
  print(json, { email: address, removed }, `Removed ${removed} passkeys of ${address}. ${next}`);
}

/** @throws {CommandFailure} `operator_not_found` */
async function findOperator(change: Change, tenant: Site, site: Site, email: string): Promise<Operator> {
  const wanted = normalizeEmail(email);
  const found = (await operatorsOf(change, tenant)).find((each) => each.email === wanted);
  if (found) return found;
  throw new CommandFailure(
    'operator_not_found',
    `${site.slug} has no operator ${email}. See ./gatehouse operator list --site ${site.slug}.`,
  );
}

function onSite<T>(
  slug: string | undefined,
  work: (change: Change, tenant: Site, site: Site) => Promise<T>,
): Promise<T> {
  const { publicUrl } = readSettings(process.env);
  return changeSite(slug, async (change, site) =>
    work(change, await requireOperatorTenant(change.db, publicUrl), site),
  );
}

async function operatorsOf(change: Change, tenant: Site): Promise<Operator[]> {
  return (await listOperators(change, tenant.id, { limit: maxOperators })).data;
}

function operatorTable(operators: readonly Operator[]): string {
  return table(
    ['EMAIL', 'NAME', 'ROLE', 'STATUS', 'LAST LOGIN', 'ID'],
    operators.map(({ email, displayName, role, status, lastLoginAt, id }) => [
      email,
      displayName,
      role,
      status,
      lastLoginAt,
      id,
    ]),
  );
}
