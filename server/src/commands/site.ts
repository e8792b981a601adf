import type { Site } from '@gatehouse/contract';
import type { Command } from 'commander';
import { createSite, listSites, updateSite } from '../sites/sites.ts';
import { addCommand, type CommonOptions } from './command.ts';
import { WrongUsage } from './failure.ts';
import { print, table } from './output.ts';
import { operatorCause, requireSite, withDatabase } from './store.ts';

interface CreateOptions extends CommonOptions {
  readonly slug: string;
  readonly title?: string;
  readonly domain?: string;
}

interface UpdateOptions extends CommonOptions {
  readonly title?: string;
  /** False for `--no-domain`. */
  readonly domain?: string | false;
}

export function addSiteCommands(program: Command): void {
  const site = program.command('site').description('make and list sites');

  addCommand(site, 'create', 'make a site', ['site create --slug club --title "Rowing club"'])
    .requiredOption('--slug <slug>', 'its short name: lower-case letters, digits, hyphens')
    .option('--title <title>', 'what people call it (default: the slug)')
    .option('--domain <domain>', 'its host name, such as club.example.org')
    .action(create);

  addCommand(site, 'list', 'list the sites', ['site list']).action(list);

  addCommand(site, 'update <site>', 'change a site', ['site update club --domain club.example.org'])
    .option('--title <title>', 'what people call it')
    .option('--domain <domain>', 'its host name')
    .option('--no-domain', 'it has no host name any more')
    .action(update);
}

async function create({ json, slug, title, domain }: CreateOptions): Promise<void> {
  const input = {
    slug,
    ...(title === undefined ? {} : { title }),
    ...(domain === undefined ? {} : { domain }),
  };
  const site = await withDatabase((database) => database.transaction((tx) => createSite(tx, input)));
  print(
    json,
    site,
    `Made the site ${site.slug}. Its first key: gatehouse key create --site ${site.slug} --name <name>`,
  );
}

async function list({ json }: CommonOptions): Promise<void> {
  const sites = await withDatabase(listSites);
  print(
    json,
    sites,
    sites.length === 0
      ? 'There is no site yet. Create one: gatehouse site create --slug main'
      : siteTable(sites),
  );
}

async function update(slug: string, { json, title, domain }: UpdateOptions): Promise<void> {
  if (title === undefined && domain === undefined) {
    throw new WrongUsage('Say what to change: --title, --domain or --no-domain.');
  }
  const changes = {
    ...(title === undefined ? {} : { title }),
    ...(domain === undefined ? {} : { domain: domain === false ? null : domain }),
  };
  const site = await withDatabase((database) =>
    database.transaction(async (tx) =>
      updateSite(tx, (await requireSite(tx, slug)).id, changes, operatorCause()),
    ),
  );
  print(json, site, siteTable([site]));
}

function siteTable(sites: readonly Site[]): string {
  return table(
    ['SLUG', 'TITLE', 'DOMAIN', 'STATUS', 'CREATED', 'ID'],
    sites.map(({ slug, title, domain, status, createdAt, id }) => [
      slug,
      title,
      domain,
      status,
      createdAt,
      id,
    ]),
  );
}
