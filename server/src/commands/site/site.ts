import type { Command } from 'commander';
import { addCommand, groupOf } from '../shared/add-command.ts';

const timeZoneHelp = 'the time zone in which days begin and end, such as Europe/Berlin';

export function addSiteCreateCommand(program: Command): void {
  addCommand(siteOf(program), 'create', 'create a site', ['site create --slug club --title "Rowing club"'])
    .requiredOption('--slug <slug>', 'the short name of the site: lowercase letters, digits and hyphens')
    .option('--title <title>', 'the display name of the site (default: the slug)')
    .option('--domain <domain>', 'the domain of the site, such as club.example.org')
    .option('--time-zone <name>', `${timeZoneHelp} (default: UTC)`)
    .action(async (options) => (await sites()).create(options));
}

export function addSiteListCommand(program: Command): void {
  addCommand(siteOf(program), 'list', 'list the sites', ['site list']).action(async (options) =>
    (await sites()).list(options),
  );
}

export function addSiteSuspendCommand(program: Command): void {
  const description = 'close a site to all visitors, until it is resumed';
  addCommand(siteOf(program), 'suspend <site>', description, ['site suspend club']).action(
    async (slug, options) => (await sites()).suspend(slug, options),
  );
}

export function addSiteResumeCommand(program: Command): void {
  const description = 'open a suspended site to its visitors again';
  addCommand(siteOf(program), 'resume <site>', description, ['site resume club']).action(
    async (slug, options) => (await sites()).resume(slug, options),
  );
}

function siteOf(program: Command): Command {
  return groupOf(program, 'site', 'create, list, update and suspend sites');
}

/** What the commands do, which their help does without. */
const sites = () => import('./sites.ts');
