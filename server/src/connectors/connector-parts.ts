import type { Clock } from '../base/clock.ts';
import type { OutgoingSettings } from '../base/networks/outgoing-url.ts';
import type { ReadTable } from './list/list-table.ts';
import type { OutgoingHttp } from './outgoing/outgoing-http.ts';

/** What connectors are made of. */
export interface ConnectorParts {
  readonly outgoing: OutgoingSettings;
  /** The base URL of Notion's API. */
  readonly notionUrl: string;
  readonly clock: Clock;
  /** Reads lists elsewhere instead of in this thread. */
  readonly readTable: ReadTable | undefined;
  /** Sends requests to workspaces. Loaded at the first use. */
  readonly http: () => Promise<OutgoingHttp>;
}
