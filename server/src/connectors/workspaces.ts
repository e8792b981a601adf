import { isTimeZone } from '@gatehouse/contract/time-zones';
import type { SiteOfList } from '@gatehouse/member-lists';
import type { Clock } from '../../base/clock.ts';
import type { OutgoingSettings } from '../../base/networks/outgoing-url.ts';
import { SecretBox, SecretUnreadable } from '../../base/secret-box.ts';
import type { Tracing } from '../../base/traces/tracing.ts';
import type { OutgoingHttp } from '../../connectors/outgoing/outgoing-http.ts';
import type { Queries } from '../../storage/database.ts';
import { findSite } from '../sites/sites.ts';
import { ownGroup } from './collection-people.ts';
import type { ReadTable } from './list/list-table.ts';
import { ProgramWorkspace } from './program-workspace.ts';
import type { StoredRun } from './run.ts';
import { type NotionSecret, placeOfSecret, type StoredSource } from './source.ts';
import { selectSourceGroups } from './source-group-store.ts';
import { type Workspace, WorkspaceUnavailable } from './workspace.ts';
import { WorkspaceRequests } from './workspace-requests.ts';

export interface WorkspaceSettings {
  readonly outgoing: OutgoingSettings;
  /** The base URL of Notion's API. */
  readonly notionUrl: string;
  /** Encrypt and decrypt the secrets of sources, as in the constructor of `SecretBox`. */
  readonly secretKeys: readonly string[];
}

/** What is needed to read the workspaces of sources. */
export class WorkspaceAccess {
  readonly secrets: SecretBox;
  readonly outgoing: OutgoingSettings;
  readonly notionUrl: string;
  readonly clock: Clock;
  readonly requests = new WorkspaceRequests();
  readonly readTable: ReadTable | undefined;
  readonly #tracing: Tracing | undefined;
  #http: Promise<OutgoingHttp> | undefined;

  /** @param parts `readTable` reads lists elsewhere instead of in this thread */
  constructor(
    { outgoing, notionUrl, secretKeys }: WorkspaceSettings,
    clock: Clock,
    { tracing, readTable }: { readonly tracing?: Tracing | undefined; readonly readTable?: ReadTable } = {},
  ) {
    this.#tracing = tracing;
    this.readTable = readTable;
    this.outgoing = outgoing;
    this.notionUrl = notionUrl;
    this.secrets = new SecretBox(secretKeys);
    this.clock = clock;
  }

  /** Loaded at the first use. */
  http(): Promise<OutgoingHttp> {
    this.#http ??= openHttp(this.outgoing, this.#tracing);
    return this.#http;
  }

  /** Closes all connections to workspaces. */
  async close(): Promise<void> {
    await (await this.#http)?.close();
  }
}

async function openHttp(settings: OutgoingSettings, tracing: Tracing | undefined): Promise<OutgoingHttp> {
  const { OutgoingHttp } = await import('../../connectors/outgoing/outgoing-http.ts');
  return new OutgoingHttp(settings, { tracing });
}

/** Opens the workspace of a source, for a run or to look at it. @throws {WorkspaceUnavailable} */
export async function openWorkspace(
  access: WorkspaceAccess,
  db: Queries,
  siteId: string,
  source: StoredSource,
  run?: StoredRun,
): Promise<Workspace> {
  if (source.kind === 'program') {
    if (run?.list) return new ProgramWorkspace(db, siteId, source.id, run.list);
    throw new WorkspaceUnavailable('rejected', 'A program uploads the lists of this source. Upload one.');
  }
  const secret = openSecret(access, siteId, source);
  const http = await access.http();
  return source.kind === 'list'
    ? openList(http, secret, access, source, await siteOfList(db, siteId, source.id))
    : openNotion(http, JSON.parse(secret), access);
}

/**
 * What lists are read for: days in the zone of the site, and groups that the source has already.
 * @throws {WorkspaceUnavailable} if the zone is newer than Node: in another one, memberships would end on another day
 */
async function siteOfList(db: Queries, siteId: string, sourceId: string): Promise<SiteOfList> {
  const { timeZone } = await findSite(db, siteId);
  if (!isTimeZone(timeZone)) {
    throw new WorkspaceUnavailable(
      'rejected',
      `This version of Gatehouse does not know ${timeZone}, the time zone of the site. Update Gatehouse, or choose another time zone.`,
    );
  }
  const groups = await selectSourceGroups(db, siteId, sourceId);
  const groupNames = new Set(groups.map(({ value }) => value).filter((value) => value !== ownGroup));
  return { timeZone, groupNames };
}

// The libraries that read workspaces are loaded only when there is a source that needs them.

async function openList(
  http: OutgoingHttp,
  address: string,
  { clock, readTable }: WorkspaceAccess,
  { name }: StoredSource,
  site: SiteOfList,
): Promise<Workspace> {
  const [{ ListWorkspace }, { ListDownload }] = await Promise.all([
    import('./list/list-workspace.ts'),
    import('./list/list-download.ts'),
  ]);
  const read = readTable ?? (await import('./list/list-table.ts')).readTable;
  const download = new ListDownload(http, address, clock);
  return new ListWorkspace(download, name, { site, readTable: read, clock });
}

async function openNotion(
  http: OutgoingHttp,
  { token }: NotionSecret,
  { notionUrl, clock }: WorkspaceAccess,
): Promise<Workspace> {
  const { NotionWorkspace } = await import('./notion/notion-workspace.ts');
  return new NotionWorkspace({ token, baseUrl: notionUrl, http, clock });
}

/** The decrypted secret of a source that has one. @throws {WorkspaceUnavailable} */
export function openSecret(
  { secrets }: WorkspaceAccess,
  siteId: string,
  { id, secret }: StoredSource,
): string {
  try {
    return secrets.open(secret!, placeOfSecret(siteId, id));
  } catch (error) {
    if (error instanceof SecretUnreadable) throw new WorkspaceUnavailable('rejected', error.message);
    throw error;
  }
}
