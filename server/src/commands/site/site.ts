import type { Site } from '@gatehouse/contract';
import type { Command } from 'commander';
import { newId } from '../../base/ids.ts';
import { makeChange } from '../../domain/events/change.ts';
import { createSite, listSites } from '../../domain/sites/sites.ts';
import { reportingTakenHosts } from '../../domain/sites/taken-hosts.ts';
import { addCommand, type CommonOptions, groupOf } from '../shared/add-command.ts';
import { print, table } from '../shared/output.ts';
import { operatorContext, withDatabase, withNewDatabase } from '../shared/store.ts';

const timeZoneHelp = 'the time zone in which days begin and end, such as Europe/Berlin';

interface CreateOptions extends CommonOptions {
  readonly slug: string;
  readonly title?: string;
  readonly domain?: string;
  readonly timeZone?: string;
}

export function addSiteCommands(program: Command): void {
  const site = groupOf(program, 'site', 'create, list and update sites');

  addCommand(site, 'create', 'create a site', ['site create --slug club --title "Rowing club"'])
    .requiredOption('--slug <slug>', 'the short name of the site: lowercase letters, digits and hyphens')
    .option('--title <title>', 'the display name of the site (default: the slug)')
    .option('--domain <domain>', 'the domain of the site, such as club.example.org')
    .option('--time-zone <name>', `${timeZoneHelp} (default: UTC)`)
    .action(create);

  addCommand(site, 'list', 'list the sites', ['site list']).action(list);
}

async function create({ json, slug, title, domain, timeZone }: CreateOptions): Promise<void> {
  const input = {
    slug,
    ...(title === undefined ? {} : { title }),
    ...(domain === undefined ? {} : { domain }),
    ...(timeZone === undefined ? {} : { timeZone }),
  };
  const context = operatorContext();
  const site = await withNewDatabase((database) =>
    reportingTakenHosts(database, context.at, () =>
      database.transaction((tx) =>
        makeChange({ db: tx, siteId: newId() }, context, (change) => createSite(change, input)),
      ),
    ),
  );
  print(
    json,
    site,
    `Created the site ${site.slug}. Create its first key: ./gatehouse api-keys create --site ${site.slug} --name <name>`,
  );
}

async function list({ json }: CommonOptions): Promise<void> {
  const sites = await withDatabase(listSites);
  print(
    json,
    sites,
    sites.length === 0
      ? 'There is no site yet. Create one: ./gatehouse site create --slug main'
      : siteTable(sites),
  );
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
