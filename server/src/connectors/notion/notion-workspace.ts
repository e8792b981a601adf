import type { CollectionColumns, CollectionPreview } from '@gatehouse/contract';
import type { DataSourceObjectResponse, PageObjectResponse } from '@notionhq/client';
import { systemClock } from '../../base/clock.ts';
import {
  CollectionGone,
  type CollectionReading,
  type CollectionToRead,
  CollectionUnreadable,
  previewRows,
  type Workspace,
  type WorkspaceCollection,
  type WorkspacePerson,
} from '../../domain/sources/workspaces/workspace.ts';
import { LongValues } from './long-values.ts';
import { requireColumns } from './notion-columns.ts';
import { joinTexts } from './notion-content.ts';
import { InvalidNotionRequest, NotionRestricted, notFromNotion } from './notion-failure.ts';
import { type PeopleOnPage, peopleOnPage } from './notion-people.ts';
import { previewOf } from './notion-preview.ts';
import { type NotionAccess, NotionRequests } from './notion-requests.ts';
import { readRows } from './notion-rows.ts';

/**
 * The data sources of a workspace of Notion that are shared with an integration. Each reading reads all rows, so
 * `read` never returns undefined. The token of a reading has values that need requests of their own; it is complete
 * after all people have been read, and null before.
 */
export class NotionWorkspace implements Workspace {
  readonly #access: NotionAccess;

  constructor(access: NotionAccess) {
    this.#access = access;
  }

  async *collections(signal: AbortSignal): AsyncIterable<WorkspaceCollection> {
    const requests = new NotionRequests(this.#access, signal);
    const found = await searchDataSources(requests);
    const siblings = Map.groupBy(found, (each) => databaseOf(each) ?? each.id);
    for (const each of found) {
      const isAlone = siblings.get(databaseOf(each) ?? each.id)!.length === 1;
      yield { key: each.id, name: isAlone ? titleOf(each) : await nameOf(requests, each) };
    }
  }

  async preview(key: string, signal: AbortSignal): Promise<CollectionPreview> {
    const requests = new NotionRequests(this.#access, signal);
    const dataSource = await requests.dataSource(key);
    const { results } = await requests.query({
      data_source_id: dataSource.id,
      sorts: [{ timestamp: 'created_time', direction: 'ascending' }],
      page_size: previewRows,
    });
    if (results.some((row) => row.object === 'page' && !('properties' in row))) throw new NotionRestricted();
    const pages = results.filter((row) => row.object === 'page') as PageObjectResponse[];
    return previewOf(
      dataSource,
      pages.filter((page) => !page.in_trash),
    );
  }

  async read(
    { key, columns }: CollectionToRead,
    token: string | null,
    signal: AbortSignal,
  ): Promise<CollectionReading> {
    const requests = new NotionRequests(this.#access, signal);
    const dataSource = await requests.dataSource(key);
    requireColumns(dataSource.properties, columns);
    const values = new LongValues(requests, this.#access.clock ?? systemClock, token);
    const reading = { isComplete: false };
    return {
      name: await nameOf(requests, dataSource),
      isGroup: typeof columns!.groups !== 'string',
      people: readPeople(requests, dataSource, columns!, values, reading),
      get token() {
        return reading.isComplete ? values.token : null;
      },
    };
  }
}

async function* readPeople(
  requests: NotionRequests,
  { id, properties }: DataSourceObjectResponse,
  columns: CollectionColumns,
  values: LongValues,
  reading: { isComplete: boolean },
): AsyncGenerator<WorkspacePerson, void, undefined> {
  const recheck = async () => requireColumns((await requests.dataSource(id)).properties, columns);
  let hidesAddresses = false;
  try {
    for await (const page of readRows(requests, id, requireColumns(properties, columns))) {
      const found = await peopleOfRow(page, columns, values, recheck);
      hidesAddresses ||= found.hidesAddress;
      yield* found.people;
    }
  } catch (error) {
    if (error instanceof InvalidNotionRequest) await recheck();
    throw error;
  }
  // Guests may have no address that Notion shows; but if it shows none at all, no one has left.
  if (hidesAddresses && !(await requests.showsAddresses())) throw addressesHidden();
  reading.isComplete = true;
}

/** The people of a row. None if it was deleted meanwhile, while its data source is still there and has its columns. */
async function peopleOfRow(
  page: PageObjectResponse,
  columns: CollectionColumns,
  values: LongValues,
  recheck: () => Promise<unknown>,
): Promise<PeopleOnPage> {
  try {
    return await peopleOnPage(page, columns, values);
  } catch (error) {
    if (!(error instanceof CollectionGone)) throw error;
    await recheck();
    return { people: [], hidesAddress: false };
  }
}

/** @throws {WorkspaceUnavailable} */
async function searchDataSources(requests: NotionRequests): Promise<DataSourceObjectResponse[]> {
  const found = new Map<string, DataSourceObjectResponse>();
  for (let cursor: string | undefined; ; ) {
    const { results, has_more, next_cursor } = await searchFrom(requests, cursor);
    for (const each of results) {
      if (each.object === 'data_source' && 'title' in each && !each.in_trash) found.set(each.id, each);
    }
    if (!has_more || next_cursor === null || next_cursor === cursor) return [...found.values()];
    cursor = next_cursor;
  }
}

async function searchFrom(requests: NotionRequests, cursor: string | undefined) {
  try {
    return await requests.searchDataSources(cursor);
  } catch (error) {
    // A search names no collection that could be gone.
    if (error instanceof CollectionGone || error instanceof CollectionUnreadable) throw notFromNotion();
    throw error;
  }
}

/** The name of a data source, with that of its database if this has several. */
async function nameOf(requests: NotionRequests, dataSource: DataSourceObjectResponse): Promise<string> {
  const databaseId = databaseOf(dataSource);
  const database = databaseId === undefined ? undefined : await findDatabase(requests, databaseId);
  const title = titleOf(dataSource);
  return database && database.dataSources > 1 ? `${database.title || untitled} – ${title}` : title;
}

/** Undefined if the database is not shared with the integration. */
async function findDatabase(requests: NotionRequests, id: string) {
  try {
    return await requests.database(id);
  } catch (error) {
    if (error instanceof CollectionGone) return undefined;
    throw error;
  }
}

function databaseOf({ parent }: DataSourceObjectResponse): string | undefined {
  return parent.type === 'database_id' ? parent.database_id : undefined;
}

const untitled = 'Untitled';

function titleOf({ title }: DataSourceObjectResponse): string {
  return joinTexts(title).trim() || untitled;
}

function addressesHidden(): CollectionUnreadable {
  return new CollectionUnreadable(
    'rejected',
    'Notion does not show the email addresses of people to the integration. In the settings of the integration in ' +
      'Notion, set the user capabilities to "Read user information including email addresses", or use a column with ' +
      'email addresses.',
  );
}
