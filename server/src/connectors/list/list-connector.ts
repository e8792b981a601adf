import { isTimeZone } from '@gatehouse/contract/time-zones';
import { knownExportNames, type SiteOfList } from '@gatehouse/member-lists';
import { invalidRequest } from '../../base/api-error.ts';
import { readOutgoingUrl } from '../../base/networks/outgoing-url.ts';
import { findSite } from '../../domain/sites/sites.ts';
import { findGroupValues } from '../../domain/sources/groups/source-groups.ts';
import type { Connector, SourceToOpen } from '../../domain/sources/workspaces/connector.ts';
import { WorkspaceUnavailable } from '../../domain/sources/workspaces/workspace.ts';
import type { ConnectorParts } from '../connector-parts.ts';
import { isExportName } from './list-mapping.ts';

/** Connects sources to lists (CSV or TSV) at a URL. */
export function listConnector(parts: ConnectorParts): Connector {
  return {
    readConnection(entered) {
      const read = readOutgoingUrl(entered.trim(), parts.outgoing);
      if (read.problem !== undefined) throw invalidRequest('/address', `address: ${read.problem}`);
      return { host: read.url.host, secret: read.url.href };
    },
    checkColumns(path, { export: name }) {
      if (typeof name !== 'string' || isExportName(name)) return;
      throw invalidRequest(
        `${path}/export`,
        `export: There is no known export with this name: ${knownExportNames.join(', ')}. Correct it, or leave it out.`,
      );
    },
    open: (source) => openList(parts, source),
  };
}

async function openList({ clock, readTable, http }: ConnectorParts, of: SourceToOpen) {
  const site = await siteOfList(of);
  // Loaded only when there is a source that needs them.
  const [{ ListWorkspace }, { ListDownload }] = await Promise.all([
    import('./list-workspace.ts'),
    import('./list-download.ts'),
  ]);
  const read = readTable ?? (await import('./list-table.ts')).readTable;
  const download = new ListDownload(await http(), of.secret, clock);
  return new ListWorkspace(download, of.source.name, { site, readTable: read, clock });
}

/**
 * What lists are read for: days in the zone of the site, and groups that the source has already.
 * @throws {WorkspaceUnavailable} if the zone is newer than Node: in another one, memberships would end on another day
 */
async function siteOfList(view: SourceToOpen): Promise<SiteOfList> {
  const { timeZone } = await findSite(view);
  if (!isTimeZone(timeZone)) {
    throw new WorkspaceUnavailable(
      'rejected',
      `This version of Gatehouse does not know ${timeZone}, the time zone of the site. Update Gatehouse, or choose another time zone.`,
    );
  }
  return { timeZone, groupNames: await findGroupValues(view, view.source.id) };
}
