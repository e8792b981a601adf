import type { Site } from '@gatehouse/contract';
import { newId } from '../../base/ids.ts';
import { makeChange } from '../../domain/events/change.ts';
import { createSite, findSite, listSites, setSiteStatus } from '../../domain/sites/sites.ts';
import { reportingTakenHosts } from '../../domain/sites/taken-hosts.ts';
import type { CommonOptions } from '../shared/add-command.ts';
import { print, table } from '../shared/output.ts';
import { changeSite, operatorContext, withDatabase, withNewDatabase } from '../shared/store.ts';

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

/** No program may do this, so it is no operation. */
export async function suspend(slug: string, { json }: CommonOptions): Promise<void> {
  const { site, hasChanged } = await changeStatus(slug, 'suspended');
  print(
    json,
    site,
    `${hasChanged ? `The site ${site.slug} is suspended.` : `The site ${site.slug} was suspended already.`} ` +
      'Visitors see that it is temporarily closed, on pages that are public otherwise too; at the edge within a minute. ' +
      'Members stay logged in, nothing is deleted, and the dashboard and the API continue to work. ' +
      `Open it again: ./gatehouse site resume ${site.slug}`,
  );
}

export async function resume(slug: string, { json }: CommonOptions): Promise<void> {
  const { site, hasChanged } = await changeStatus(slug, 'active');
  print(
    json,
    site,
    hasChanged
      ? `The site ${site.slug} is open again. Its access rules apply as before, and members are still logged in.`
      : `The site ${site.slug} was not suspended. Nothing was changed.`,
  );
}

function changeStatus(slug: string, status: Site['status']): Promise<{ site: Site; hasChanged: boolean }> {
  return changeSite(slug, async (change) => {
    const hasChanged = await setSiteStatus(change, status);
    return { site: await findSite(change), hasChanged };
  });
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
