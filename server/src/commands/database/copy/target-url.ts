import { existsSync, realpathSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { WrongUsage } from '../../../app/failure.ts';
import { databaseSettings } from '../../../app/settings/definitions/database.ts';
import type { Settings } from '../../../app/settings/settings.ts';
import { dialectOf, sqlitePath } from '../../../storage/database-url.ts';
import { formatPostgresUrl, parsePostgresUrl } from '../../../storage/postgres/connections/postgres-url.ts';

const variable = 'GATEHOUSE_COPY_TO_URL';

/** The URL of the target: of the option, of the standard input, or of the environment. @throws {WrongUsage} */
export async function readTargetUrl(option: string | undefined): Promise<string> {
  const given = option === '-' ? await text(process.stdin) : (option ?? process.env[variable] ?? '');
  const url = given.trim();
  if (url === '') {
    throw new WrongUsage(
      `Name the empty database with --to postgres://… or --to sqlite:<file>, or in ${variable}.`,
    );
  }
  const { parse, expected } = databaseSettings.GATEHOUSE_DATABASE_URL;
  if (parse(url) !== undefined) return url;
  // It is not shown, as it may contain a password.
  throw new WrongUsage(`The URL of --to or ${variable} is invalid. Use ${expected}.`);
}

export function hasPassword(url: string): boolean {
  return parsePostgresUrl(url)?.password !== undefined;
}

/** @throws {WrongUsage} for the URL of the database that is copied */
export function requireOtherDatabase(
  { databaseUrl, databaseDirectUrl }: Pick<Settings, 'databaseUrl' | 'databaseDirectUrl'>,
  targetUrl: string,
): void {
  const own = [databaseUrl, databaseDirectUrl].flatMap((url) => (url === undefined ? [] : [identityOf(url)]));
  if (!own.includes(identityOf(targetUrl))) return;
  throw new WrongUsage(
    'This is the database itself. GATEHOUSE_DATABASE_URL is the one that is copied, and --to the empty one.',
  );
}

function identityOf(url: string): string {
  if (dialectOf(url) === 'postgres') return placeOf(url);
  const path = sqlitePath(url);
  return `sqlite:${existsSync(path) ? realpathSync(path) : path}`;
}

/** A database for people: the file, or hosts and name, without user and password. */
export function placeOf(url: string): string {
  if (dialectOf(url) === 'sqlite') return `sqlite:${sqlitePath(url)}`;
  const parsed = parsePostgresUrl(url)!;
  return formatPostgresUrl({
    ...parsed,
    user: undefined,
    sslMode: undefined,
    prepares: true,
    parameters: {},
  });
}

/** The URL with which a program has another name among the sessions of PostgreSQL. */
export function withApplicationName(url: string, name: string): string {
  const parsed = parsePostgresUrl(url)!;
  const parameters = { ...parsed.parameters, application_name: name };
  return formatPostgresUrl({ ...parsed, parameters }, encodeURIComponent(parsed.password ?? ''));
}

/** The name of services among the sessions of PostgreSQL. */
export function applicationNameIn(url: string): string {
  return parsePostgresUrl(url)?.parameters.application_name ?? 'gatehouse';
}
