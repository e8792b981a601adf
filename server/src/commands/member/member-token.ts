import type { AccessToken, Gatehouse, Member } from '@gatehouse/client';
import { maxPageSize } from '@gatehouse/contract/limits';
import type { Command } from 'commander';
import { CommandFailure } from '../../app/failure.ts';
import { isUuid } from '../../base/ids.ts';
import { addCommand } from '../shared/add-command.ts';
import { addConnectionOptions, type ConnectionOptions, connect } from '../shared/connection.ts';
import { isDay } from '../shared/duration.ts';
import {
  addExpiryOptions,
  describeExpiry,
  type ExpiryOptions,
  endOf,
  endText,
  expiryOf,
} from '../shared/expiry.ts';
import { addOldSpelling } from '../shared/old-spelling.ts';
import { argument, print, table } from '../shared/output.ts';
import { findTimeZone, timeZoneForDays } from './site-time-zone.ts';

interface CreateOptions extends ConnectionOptions, ExpiryOptions {
  readonly name: string;
  readonly pathPrefix?: string;
}

export function addMemberTokenCommands(member: Command): void {
  const token = member.command('token').description('create, list and delete access tokens of a member');

  const create = addCommand(token, 'create <member>', 'create an access token, which is shown only once', [
    'member token create ada@example.org --name "Podcast app" --path-prefix /podcast --expires-in 90d',
  ])
    .requiredOption('--name <name>', 'what the token is for')
    .option('--path-prefix <path>', 'the path below which it works (default: the whole site)');
  addOldSpelling(create, '--path', '--path-prefix');
  addExpiryOptions(addConnectionOptions(create))
    .addHelpText('after', '\nThe key needs the permission login-links:write, which no key has by default.')
    .action(createToken);

  addConnectionOptions(
    addCommand(token, 'list <member>', 'list the access tokens of a member', [
      'member token list ada@example.org',
    ]),
  ).action(listTokens);

  addConnectionOptions(
    addCommand(token, 'delete <member> <token>', 'delete the access token with this ID or name', [
      'member token delete ada@example.org "Podcast app"',
    ]),
  ).action(deleteToken);
}

async function createToken(named: string, options: CreateOptions): Promise<void> {
  const { json, name, pathPrefix } = options;
  const expiry = expiryOf(options);
  const { gatehouse } = await connect(options);
  const member = await findMember(gatehouse, named);
  const entersDay = expiry !== null && isDay(expiry);
  const timeZone = await (entersDay ? timeZoneForDays(gatehouse) : findTimeZone(gatehouse));
  const input = {
    name,
    // Without it, the token ends with the key.
    ...(expiry !== null && { expiresAt: endOf(expiry, timeZone ?? 'UTC') }),
    ...(pathPrefix !== undefined && { pathPrefix }),
  };
  const created = await gatehouse.members.accessTokens.create(member.id, input);
  const { secret, ...token } = created;
  const about = `Name: ${token.name}. ID: ${token.id}. Member: ${member.email}. Path: ${token.pathPrefix}.`;
  print(
    json,
    created,
    `${secret}\n\nCopy this token now: it is shown only once.\n${about} ${describeExpiry(token.expiresAt, timeZone)}`,
  );
}

async function listTokens(named: string, options: ConnectionOptions): Promise<void> {
  const { gatehouse } = await connect(options);
  const member = await findMember(gatehouse, named);
  const tokens = await tokensOf(gatehouse, member);
  const timeZone = await findTimeZone(gatehouse);
  print(
    options.json,
    tokens,
    tokens.length === 0
      ? `${member.email} has no access token. Create one: ./gatehouse member token create ${argument(named)} --name <name>`
      : table(
          ['NAME', 'PATH', 'CREATED', 'EXPIRES', 'LAST USE', 'ID'],
          tokens.map(({ name, pathPrefix, createdAt, expiresAt, lastUsedAt, id }) => [
            name,
            pathPrefix,
            createdAt,
            expiresAt && endText(expiresAt, timeZone),
            lastUsedAt,
            id,
          ]),
        ),
  );
}

async function deleteToken(named: string, tokenNamed: string, options: ConnectionOptions): Promise<void> {
  const { gatehouse } = await connect(options);
  const member = await findMember(gatehouse, named);
  const { id, name } = await findToken(gatehouse, member, named, tokenNamed);
  await gatehouse.members.accessTokens.delete(member.id, id);
  print(
    options.json,
    { id, name, memberId: member.id },
    `Deleted the access token "${name}". Programs that use it have no access any more.`,
  );
}

/** Finds a member by ID or email address. @throws {CommandFailure} `member_not_found` */
async function findMember({ members }: Gatehouse, named: string): Promise<Member> {
  if (isUuid(named)) return members.get(named);
  if (named.includes('@')) {
    for await (const member of members.list({ email: named, limit: 1 })) return member;
  }
  throw new CommandFailure(
    'member_not_found',
    `The site has no member ${argument(named)}. See ./gatehouse member list.`,
  );
}

/** Finds a token by its ID, or by its name if only one has it. @throws {CommandFailure} */
async function findToken(
  gatehouse: Gatehouse,
  member: Member,
  memberNamed: string,
  named: string,
): Promise<AccessToken> {
  const tokens = await tokensOf(gatehouse, member);
  const found = tokens.filter(({ id }) => id === named.toLowerCase());
  if (found.length === 0) found.push(...tokens.filter(({ name }) => name === named.trim()));
  if (found.length === 1) return found[0]!;
  const list = `See ./gatehouse member token list ${argument(memberNamed)}.`;
  throw found.length === 0
    ? new CommandFailure('access_token_not_found', `${member.email} has no such access token. ${list}`)
    : new CommandFailure(
        'access_token_ambiguous',
        `${member.email} has several access tokens with this name. Use the ID. ${list}`,
        2,
      );
}

async function tokensOf({ members }: Gatehouse, { id }: Member): Promise<AccessToken[]> {
  const tokens: AccessToken[] = [];
  for await (const token of members.accessTokens.list(id, { limit: maxPageSize })) tokens.push(token);
  return tokens;
}
