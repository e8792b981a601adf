import { existsSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installation } from '../base/installation.ts';
import { isThisMachine } from '../domain/sites/site.ts';
import { listSites } from '../domain/sites/sites.ts';
import type { Database } from '../storage/database.ts';
import { dialectOf, sqlitePath } from '../storage/database-url.ts';
import { CommandFailure } from './failure.ts';
import { findSettingsFile } from './settings/given-settings.ts';
import type { Settings } from './settings/settings.ts';
import { localDomain } from './start/first-start.ts';

/** The pages that a new installation shows. */
export const sampleFolder = fileURLToPath(new URL('examples/site', installation));

/** The URL of the built-in site on this machine. */
function localSiteUrl({ sitePort }: Settings): string {
  return `http://localhost:${sitePort}`;
}

/** The URL at which the first site of a new installation can be tried out on this machine. */
export function firstSiteUrl(settings: Settings): string {
  const { siteFolder, siteUpstream, publicUrl } = settings;
  const isBuiltIn = siteFolder !== undefined || siteUpstream !== undefined;
  return isBuiltIn && localDomain(publicUrl) !== null ? localSiteUrl(settings) : publicUrl;
}

/**
 * Whether the sample site may be served: Gatehouse is tried out on this machine, and the database has no site yet, or
 * only the one that was created for the built-in server. The sample never replaces the pages of another site.
 */
export async function allowsSample(settings: Settings): Promise<boolean> {
  const { databaseUrl, publicUrl } = settings;
  // The members of the sample have no place in an installation on the internet.
  if (!isThisMachine(new URL(publicUrl).host)) return false;
  if (dialectOf(databaseUrl) === 'sqlite' && !existsSync(sqlitePath(databaseUrl))) return true;
  // Only a first start needs both drivers.
  const { openDatabase } = await import('../storage/open.ts');
  const database = openDatabase(databaseUrl, { poolSize: 2, readOnly: true });
  try {
    // In a new database there are no tables. Any other error is reported by the start itself.
    const sites = await listSites(database).catch(() => []);
    return sites.every(({ domain }) => domain === localDomain(localSiteUrl(settings))) && sites.length < 2;
  } finally {
    await database.close();
  }
}

/** Where the pages of the built-in site come from: a folder, without symbolic links, or a program. */
export type SiteSource = { readonly folder: string } | { readonly upstream: string };

/**
 * The pages that this process serves; undefined for none.
 * @throws {CommandFailure} `folder_missing`, `folder_with_data`, `upstream_is_gatehouse`
 */
export function readSiteSource(settings: Settings): SiteSource | undefined {
  if (settings.siteUpstream !== undefined) {
    refuseOwnAddress(settings, settings.siteUpstream);
    return { upstream: settings.siteUpstream };
  }
  return settings.siteFolder === undefined
    ? undefined
    : { folder: readFolder(settings, settings.siteFolder) };
}

/** A program at the address of Gatehouse itself would send each request around forever. */
function refuseOwnAddress({ port, sitePort }: Settings, upstream: string): void {
  const url = new URL(upstream);
  const isOwn = [port, sitePort].some((each) => String(each) === (url.port || '80'));
  if (!isOwn || !isThisMachine(url.host)) return;
  throw new CommandFailure(
    'upstream_is_gatehouse',
    `${upstream} is the URL of Gatehouse itself. Use the URL of your program.`,
  );
}

function readFolder({ databaseUrl }: Settings, given: string): string {
  if (!statSync(given, { throwIfNoEntry: false })?.isDirectory()) {
    throw new CommandFailure(
      'folder_missing',
      `There is no folder ${path.resolve(given)}. Correct the path.`,
    );
  }
  const folder = realpathSync(given);
  const data = dialectOf(databaseUrl) === 'sqlite' ? [sqlitePath(databaseUrl)] : [];
  const file = [...data, ...[findSettingsFile()].filter((each) => each !== undefined)].find((each) => {
    const parent = realParent(each);
    return parent === folder || parent.startsWith(folder === path.sep ? folder : folder + path.sep);
  });
  if (file === undefined) return folder;
  throw new CommandFailure(
    'folder_with_data',
    `The folder contains ${file}, which visitors must never see. Put the pages into a folder of their own.`,
  );
}

/** The folder of a file that may not exist yet. */
function realParent(file: string): string {
  const parent = path.dirname(path.resolve(file));
  try {
    return realpathSync(parent);
  } catch {
    return parent === path.dirname(parent) ? parent : path.join(realParent(parent), path.basename(parent));
  }
}

/**
 * The slug of the site that this process serves: the named one, or the only one.
 * @throws {CommandFailure} `site_not_found`, `site_not_named`
 */
export async function chooseSite(database: Database, named: string | undefined): Promise<string> {
  const slugs = (await listSites(database)).map(({ slug }) => slug);
  if (named === undefined && slugs.length === 1) return slugs[0]!;
  if (named !== undefined && slugs.includes(named)) return named;
  if (slugs.length === 0) {
    throw new CommandFailure(
      'site_not_found',
      'There is no site. Create one: ./gatehouse site create --slug main',
    );
  }
  const names = slugs.slice(0, 20).join(', ');
  throw named === undefined
    ? new CommandFailure('site_not_named', `Name the site to serve with --site: one of ${names}.`)
    : new CommandFailure('site_not_found', `There is no site ${named}. Use one of ${names}.`);
}
