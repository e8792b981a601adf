import type { Site } from '@gatehouse/contract';
import { newId } from '../../base/ids.ts';
import { makeChange } from '../../domain/events/change.ts';
import { createSite, listSites } from '../../domain/sites/sites.ts';
import { reportingTakenHosts } from '../../domain/sites/taken-hosts.ts';
import type { CommonOptions } from '../shared/add-command.ts';
import { print, table } from '../shared/output.ts';
import { operatorContext, withDatabase, withNewDatabase } from '../shared/store.ts';

interface CreateOptions extends CommonOptions {
  readonly slug: string;
  readonly title?: string;
  readonly domain?: string;
  readonly timeZone?: string;
}

export async function create({ json, slug, title, domain, timeZone }: CreateOptions): Promise<void> {
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

export async function list({ json }: CommonOptions): Promise<void> {
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
