import type { OperationId, SourceRun } from '@gatehouse/contract';
import { maxPageSize } from '@gatehouse/contract/limits';

/** A body, a resource or an item of a list, of whichever operation. Its shape is known where the operation is named. */
// biome-ignore lint/suspicious/noExplicitAny: the operation is not known when this is compiled
export type AnyShape = any;

/** The parts of a call, as the contract defines them. */
export interface Parts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** The ETag that the resource must still have. */
  readonly ifMatch?: string;
}

/** The operations of one site, of the configured database or of a service. */
export interface SiteApi {
  /** The whole body of the response; undefined if it has none. @throws {ApiError | GatehouseError} */
  send(id: OperationId, parts: Parts): Promise<unknown>;
  /** The body of a resource that is changed later, with its ETag. */
  read(id: OperationId, parts: Parts): Promise<{ readonly body: unknown; readonly etag: string }>;
  /** Waits until a run has ended; without a service, it runs here. @throws the reason of `signal` if that aborts */
  waitForRun(run: SourceRun, onProgress: (run: SourceRun) => void, signal: AbortSignal): Promise<SourceRun>;
  /** What becomes of a run when waiting for it ends early. */
  readonly unfinishedRun: string;
  /** The time zone of the site; undefined if it is not known. */
  findTimeZone(): Promise<string | undefined>;
  /** The time zone in which to read days: UTC, with a note, if that of the site is not known. */
  timeZoneForDays(): Promise<string>;
  /** What else a call has changed, as sentences. */
  readonly notes: readonly string[];
}

/** The items of a list, page by page. */
export async function* everyItem(
  api: SiteApi,
  id: OperationId,
  { query, ...parts }: Parts,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<unknown, void, undefined> {
  let after: unknown = query?.after;
  for (let left = limit; left > 0; ) {
    const onPage = { ...query, limit: Math.min(left, maxPageSize), ...(after !== undefined && { after }) };
    const { data, pagination } = (await api.send(id, { ...parts, query: onPage })) as Page;
    yield* data;
    left -= data.length;
    if (!pagination?.nextCursor) return;
    after = pagination.nextCursor;
  }
}

interface Page {
  readonly data: readonly unknown[];
  readonly pagination?: { readonly nextCursor: string | null };
}
