import { type Operator, type OperatorRole, operatorRoles, type Site } from '@gatehouse/contract';
import { type Command, Option } from 'commander';
import { normalizeEmail } from '../members/email.ts';
import { inviteOperator, listOperators, removeOperator } from '../operators/operators.ts';
import { requireOperatorsRealm } from '../operators/operators-realm.ts';
import type { Transaction } from '../storage/database.ts';
import { addCommand, type CommonOptions } from './command.ts';
import { CommandFailure } from './failure.ts';
import { print, table } from './output.ts';
import { readSettings } from './settings.ts';
import { operatorCause, requireSite, withDatabase } from './store.ts';

interface SiteOptions extends CommonOptions {
  readonly site?: string;
}

interface InviteOptions extends SiteOptions {
  readonly role: OperatorRole;
  readonly name?: string;
}

const siteOption = ['--site <slug>', 'which site, where there are several'] as const;
const mostOperators = 10_000;

export function addOperatorCommands(program: Command): void {
  const operator = program.command('operator').description('decide who runs a site at the dashboard');

  addCommand(operator, 'invite <email>', 'give somebody a role, and mail how to get to the dashboard', [
    'operator invite grace@example.com --site club --role admin',
  ])
    .option(...siteOption)
    .addOption(
      new Option('--role <role>', 'what the operator may do').choices(operatorRoles).makeOptionMandatory(),
    )
    .option('--name <name>', 'what people call the operator')
    .action(invite);

  addCommand(operator, 'list', 'list the operators of a site', ['operator list --site club'])
    .option(...siteOption)
    .action(list);

  addCommand(operator, 'remove <email>', 'take the role of an operator away, at once everywhere', [
    'operator remove grace@example.com --site club',
  ])
    .option(...siteOption)
    .action(remove);
}

async function invite(email: string, { json, site: slug, role, name }: InviteOptions): Promise<void> {
  const { emailLimits } = readSettings(process.env);
  const operator = await onSite(slug, (tx, realm, site) =>
    inviteOperator(
      tx,
      realm,
      site.id,
      { email, role, ...(name !== undefined && { displayName: name }) },
      operatorCause(),
      emailLimits,
    ),
  );
  print(json, operator, `Invited ${operator.email} as ${role}. The mail leaves as soon as Gatehouse runs.`);
}

async function list({ json, site: slug }: SiteOptions): Promise<void> {
  const operators = await onSite(slug, operatorsOf);
  const hint = 'The site has no operator yet. Invite one: ./gatehouse operator invite <email> --role owner';
  print(json, operators, operators.length === 0 ? hint : operatorTable(operators));
}

async function remove(email: string, { json, site: slug }: SiteOptions): Promise<void> {
  const operator = await onSite(slug, async (tx, realm, site) => {
    const wanted = normalizeEmail(email);
    const found = (await operatorsOf(tx, realm, site)).find((each) => each.email === wanted);
    if (!found) {
      throw new CommandFailure(
        'operator_not_found',
        `${site.slug} has no operator ${email}. See ./gatehouse operator list --site ${site.slug}.`,
      );
    }
    await removeOperator(tx, realm.id, site.id, found.id, operatorCause());
    return found;
  });
  print(json, operator, `${operator.email} has no role on the site any more.`);
}

function onSite<T>(
  slug: string | undefined,
  work: (tx: Transaction, realm: Site, site: Site) => Promise<T>,
): Promise<T> {
  const { publicUrl } = readSettings(process.env);
  return withDatabase((database) =>
    database.transaction(async (tx) => {
      const site = await requireSite(tx, slug);
      return work(tx, await requireOperatorsRealm(tx, publicUrl), site);
    }),
  );
}

async function operatorsOf(tx: Transaction, realm: Site, site: Site): Promise<Operator[]> {
  const query = { limit: mostOperators };
  return (await listOperators(tx, realm.id, site.id, query, new Date().toISOString())).data;
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
