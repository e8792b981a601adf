import type { Site } from '@gatehouse/contract';
import type { Command } from 'commander';
import { WrongUsage } from '../../app/failure.ts';
import { newId } from '../../base/ids.ts';
import { makeChange } from '../../domain/events/change.ts';
import { createSite, listSites, updateSite } from '../../domain/sites/sites.ts';
import { reportingTakenHosts } from '../../domain/sites/taken-hosts.ts';
import { siteDependents } from '../../operations/sites.ts';
import { addCommand, type CommonOptions } from '../shared/add-command.ts';
import { addOldSpelling } from '../shared/old-spelling.ts';
import { print, table } from '../shared/output.ts';
import { changeSite, operatorContext, withDatabase, withNewDatabase } from '../shared/store.ts';
import type { SiteOptions } from './site-changes.ts';

const timeZoneHelp = 'the time zone in which days begin and end, such as Europe/Berlin';

interface CreateOptions extends CommonOptions {
  readonly slug: string;
  readonly title?: string;
  readonly domain?: string;
  readonly timeZone?: string;
}

export function addSiteCommands(program: Command): void {
  const site = program.command('site').description('create, list and update sites');

  addCommand(site, 'create', 'create a site', ['site create --slug club --title "Rowing club"'])
    .requiredOption('--slug <slug>', 'the short name of the site: lowercase letters, digits and hyphens')
    .option('--title <title>', 'the display name of the site (default: the slug)')
    .option('--domain <domain>', 'the domain of the site, such as club.example.org')
    .option('--time-zone <name>', `${timeZoneHelp} (default: UTC)`)
    .action(create);

  addCommand(site, 'list', 'list the sites', ['site list']).action(list);

  const change = addCommand(site, 'update <site>', 'change a site', [
    'site update club --domain club.example.org',
  ])
    .option('--title <title>', 'the display name of the site')
    .option('--domain <domain>', 'the domain of the site; another one than before logs all members out')
    .option('--no-domain', 'remove the domain, and log all members out')
    .option(
      '--scheme <scheme>',
      'https, or http on a network without certificates; also logs all members out',
    )
    .option(
      '--host <domain...>',
      'other hosts of the site, each with pages of its own; one login is valid on all',
    )
    .option('--redirect <domain...>', 'other hosts of the site, whose visits are redirected to the domain')
    .option('--no-host', 'remove all other hosts')
    .option('--languages <languages>', 'the languages of login pages and emails, the default first: de,en')
    .option('--time-zone <name>', timeZoneHelp)
    .option('--max-sessions <number>', 'how many sessions a member may have at the same time')
    .option('--sign-up <policy>', 'who becomes a member by logging in: members_only, allowed_domains, open')
    .option('--sign-up-domain <domain...>', 'email domains for the policy allowed_domains')
    .option('--color <color>', 'the color of buttons and links, such as #0f766e')
    .option('--no-color', 'use the default color')
    .option('--header-encoding <encoding>', 'how names are written in identity headers: percent or utf8')
    .option(
      '--header <name...>',
      'names of identity headers, such as user=X-WebAuth-User; a header without a name is not sent: email=',
    )
    .option('--logo <file>', 'a PNG, JPEG or WebP file of at most 128 KiB')
    .option('--no-logo', 'remove the logo')
    .option('--members-create-tokens', 'members create access tokens on their account page')
    .option('--no-members-create-tokens', 'only the API creates access tokens')
    .action(update);
  addOldSpelling(change, '--colour', '--color');
  addOldSpelling(change, '--no-colour', '--no-color');
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
    `Created the site ${site.slug}. Create its first key: ./gatehouse key create --site ${site.slug} --name <name>`,
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

async function update(slug: string, { json, ...options }: SiteOptions & CommonOptions): Promise<void> {
  if (Object.keys(options).length === 0) {
    throw new WrongUsage(
      'Nothing to change. Use an option such as --title or --domain. See ./gatehouse site update --help.',
    );
  }
  // Loads the schemas, which the other commands do not need.
  const { changesOf } = await import('./site-changes.ts');
  const site = await changeSite(slug, (change, before) =>
    updateSite(change, changesOf(options, before), siteDependents(change)),
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
