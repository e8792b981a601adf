import type { CollectionColumns } from '@gatehouse/contract';
import { onTestFinished } from 'vitest';
import { NotionWorkspace } from '../src/connectors/notion/notion-workspace.ts';
import { OutgoingHttp } from '../src/connectors/outgoing/outgoing-http.ts';
import type { WorkspacePerson } from '../src/domain/sources/workspaces/workspace.ts';
import { movableTime } from './movable-time.ts';
import type { NotionDataSource } from './notion-model.ts';
import { startNotionServer } from './notion-server.ts';

/** The columns of a data source, by the names of its properties. */
export type NamedColumns = Omit<CollectionColumns, 'email'> & { readonly email?: string };

/** Starts a server of Notion and a workspace that reads it, for one test. Waiting sets the clock forward. */
export async function startNotionReader() {
  const { clock, advance } = movableTime();
  const notion = await startNotionServer({ clock });
  const http = new OutgoingHttp({ allowedNetworks: ['127.0.0.0/8'], allowsHttp: true });
  onTestFinished(async () => {
    await http.close();
    notion.close();
  });
  const waits: number[] = [];
  const wait = async (milliseconds: number, signal: AbortSignal) => {
    waits.push(milliseconds);
    advance(milliseconds);
    signal.throwIfAborted();
  };
  const open = (token = notion.token) =>
    new NotionWorkspace({ token, baseUrl: notion.url, http, clock, wait });
  const never = new AbortController().signal;

  const collections = async (workspace = open()) => Array.fromAsync(workspace.collections(never));

  const preview = (source: NotionDataSource) => open().preview(source.id, never);

  /** Reads everyone. The column of addresses is "Email", unless the test says something else. */
  const read = async (
    source: NotionDataSource,
    columns: NamedColumns = {},
    token: string | null = null,
    signal = never,
  ) => {
    const keys = columnKeys(source, { email: 'Email', ...columns });
    const reading = await open().read({ key: source.id, columns: keys }, token, signal);
    const people: WorkspacePerson[] = [];
    for await (const person of reading.people) people.push(person);
    const { name, isGroup } = reading;
    return { name, isGroup, people, emails: people.map(({ email }) => email), token: reading.token };
  };

  return { notion, clock, advance, waits, open, collections, preview, read };
}

export function columnKeys(
  source: NotionDataSource,
  { email = 'Email', paidValues, ...others }: NamedColumns,
): CollectionColumns {
  const keyOf = (name: string | null | undefined) => (name ? source.key(name) : name);
  const { displayName, lastName, paid, groups } = others;
  return {
    email: source.key(email),
    ...(displayName !== undefined && { displayName: keyOf(displayName) ?? null }),
    ...(lastName !== undefined && { lastName: keyOf(lastName) ?? null }),
    ...(paid !== undefined && { paid: keyOf(paid) ?? null }),
    ...(groups !== undefined && { groups: keyOf(groups) ?? null }),
    ...(paidValues && { paidValues }),
  };
}

/** The paths of the requests, without `/v1/` and ids. */
export function kindsOf(requests: readonly { readonly path: string }[]): string[] {
  return requests.map(({ path }) => path.replace('/v1/', '').replaceAll(/[\da-f-]{36}/g, '*'));
}
