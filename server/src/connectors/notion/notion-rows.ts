import type { PageObjectResponse } from '@notionhq/client';
import { CollectionUnreadable } from '../../domain/sources/workspaces/workspace.ts';
import { InvalidNotionRequest, NotionRestricted } from './notion-failure.ts';
import { type NotionRequests, pageSize } from './notion-requests.ts';

/** The number of times that a query is repeated from its beginning, because its cursor has become invalid. */
const maxRestarts = 2;

/**
 * All pages of a data source that are not in the trash, each once. A query ends after 10,000 rows: then another one
 * begins with the time at which the last of them was created. The order by that time is the only one that does not
 * change meanwhile.
 * @throws {CollectionUnreadable} `incomplete` if not all of them can be read
 */
export async function* readRows(
  requests: NotionRequests,
  dataSourceId: string,
  propertyIds: readonly string[],
): AsyncGenerator<PageObjectResponse, void, undefined> {
  const seen = new Set<string>();
  let from: string | undefined;
  let restarts = 0;
  for (;;) {
    const query = new RowQuery(requests, dataSourceId, propertyIds, from);
    for await (const page of query.pages()) {
      if (seen.has(page.id)) continue;
      seen.add(page.id);
      if (!page.in_trash) yield page;
    }
    if (query.end === 'complete') return;
    if (query.end === 'interrupted') {
      if (++restarts > maxRestarts) throw changing();
    } else {
      if (query.lastCreated === undefined || query.lastCreated === from) throw tooManyAtOnce();
      from = query.lastCreated;
      restarts = 0;
    }
  }
}

/** The pages that were created from a time on, as many as Notion returns. */
class RowQuery {
  /** How it ended: `limited` if there are more pages than a query returns. */
  end: 'complete' | 'limited' | 'interrupted' = 'complete';
  lastCreated: string | undefined;
  readonly #requests: NotionRequests;
  readonly #parameters: Parameters<NotionRequests['query']>[0];

  constructor(
    requests: NotionRequests,
    dataSourceId: string,
    propertyIds: readonly string[],
    from: string | undefined,
  ) {
    this.#requests = requests;
    this.#parameters = {
      data_source_id: dataSourceId,
      filter_properties: [...propertyIds],
      sorts: [{ timestamp: 'created_time', direction: 'ascending' }],
      page_size: pageSize,
      ...(from !== undefined && {
        filter: { timestamp: 'created_time', created_time: { on_or_after: from } },
      }),
    };
  }

  async *pages(): AsyncGenerator<PageObjectResponse, void, undefined> {
    for (let cursor: string | undefined; ; ) {
      const response = await this.#responseFrom(cursor);
      if (!response) return;
      // Any response can say so, not only the last one.
      if (response.request_status?.type === 'incomplete') this.end = 'limited';
      for (const row of response.results) {
        // Others are data sources in a wiki.
        if ('created_time' in row) this.lastCreated = row.created_time;
        if (row.object !== 'page') continue;
        if (!('properties' in row)) throw new NotionRestricted();
        yield row;
      }
      if (!response.has_more || response.next_cursor === null) return;
      if (response.next_cursor === cursor) throw changing();
      cursor = response.next_cursor;
    }
  }

  /** Undefined if the cursor has become invalid. */
  async #responseFrom(cursor: string | undefined) {
    try {
      const start = cursor === undefined ? {} : { start_cursor: cursor };
      return await this.#requests.query({ ...this.#parameters, ...start });
    } catch (error) {
      if (cursor === undefined || !(error instanceof InvalidNotionRequest)) throw error;
      this.end = 'interrupted';
      return undefined;
    }
  }
}

function changing(): CollectionUnreadable {
  return new CollectionUnreadable(
    'incomplete',
    'The data source changed in Notion while it was being read. It is read again later.',
  );
}

function tooManyAtOnce(): CollectionUnreadable {
  return new CollectionUnreadable(
    'incomplete',
    'Notion does not return all rows of this data source, because too many of them were created in the same minute. ' +
      'Split it into several data sources.',
  );
}
