import { type ConnectedType, isConnected, type SourceType } from '@gatehouse/contract/source-types';
import type { Clock } from '../base/clock.ts';
import { SecretBox } from '../base/encryption/secret-box.ts';
import type { OutgoingSettings } from '../base/networks/outgoing-url.ts';
import { systemTimers } from '../base/timers.ts';
import type { Tracing } from '../base/traces/tracing.ts';
import type { StoredRun } from '../domain/sources/runs/run.ts';
import type { StoredSource } from '../domain/sources/source/source.ts';
import { openSecret } from '../domain/sources/source/source-secrets.ts';
import type { Connector } from '../domain/sources/workspaces/connector.ts';
import { type Workspace, WorkspaceUnavailable } from '../domain/sources/workspaces/workspace.ts';
import { type Workspaces, workspaceTooSlow } from '../domain/sources/workspaces/workspaces.ts';
import type { SiteData } from '../storage/site-view.ts';
import { AwaitedRequests } from './awaited-requests.ts';
import type { ConnectorParts } from './connector-parts.ts';
import { listConnector } from './list/list-connector.ts';
import type { ReadTable } from './list/list-table.ts';
import { notionConnector } from './notion/notion-connector.ts';
import type { OutgoingHttp } from './outgoing/outgoing-http.ts';
import { ProgramWorkspace } from './program/program-workspace.ts';

export interface WorkspaceSettings {
  readonly outgoing: OutgoingSettings;
  /** The base URL of Notion's API. */
  readonly notionUrl: string;
  /** Encrypt and decrypt the secrets of sources, as in the constructor of `SecretBox`. */
  readonly secretKeys: readonly string[];
}

/** The connectors of the types that Gatehouse reads itself. */
const connectors: Readonly<Record<ConnectedType, (parts: ConnectorParts) => Connector>> = {
  notion: notionConnector,
  list: listConnector,
};

/** Opens the workspaces of sources, with one client for all of their requests. */
export class WorkspaceAccess implements Workspaces {
  readonly secrets: SecretBox;
  readonly outgoing: OutgoingSettings;
  readonly #parts: ConnectorParts;
  readonly #requests = new AwaitedRequests(
    { activity: 'looking into a workspace', tooSlow: workspaceTooSlow },
    systemTimers,
  );
  readonly #tracing: Tracing | undefined;
  #http: Promise<OutgoingHttp> | undefined;

  /** @param parts `readTable` reads lists elsewhere instead of in this thread */
  constructor(
    { outgoing, notionUrl, secretKeys }: WorkspaceSettings,
    clock: Clock,
    { tracing, readTable }: { readonly tracing?: Tracing | undefined; readonly readTable?: ReadTable } = {},
  ) {
    this.secrets = new SecretBox(secretKeys);
    this.outgoing = outgoing;
    this.#tracing = tracing;
    this.#parts = { outgoing, notionUrl, clock, readTable, http: () => this.#openHttp() };
  }

  connectorOf(type: SourceType): Connector | undefined {
    return isConnected(type) ? connectors[type](this.#parts) : undefined;
  }

  async open({ db, siteId }: SiteData, source: StoredSource, run?: StoredRun): Promise<Workspace> {
    const connector = this.connectorOf(source.type);
    if (connector) {
      return connector.open({ db, siteId, source, secret: openSecret(this.secrets, siteId, source) });
    }
    if (run?.list) return new ProgramWorkspace(db, siteId, source.id, run.list);
    throw new WorkspaceUnavailable('rejected', 'A program uploads the lists of this source. Upload one.');
  }

  look<Result>(siteId: string, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    return this.#requests.use(siteId, work);
  }

  /** Closes all connections to workspaces. */
  async close(): Promise<void> {
    await (await this.#http)?.close();
  }

  #openHttp(): Promise<OutgoingHttp> {
    this.#http ??= openHttp(this.outgoing, this.#tracing);
    return this.#http;
  }
}

async function openHttp(settings: OutgoingSettings, tracing: Tracing | undefined): Promise<OutgoingHttp> {
  const { OutgoingHttp } = await import('./outgoing/outgoing-http.ts');
  return new OutgoingHttp(settings, { tracing });
}
