import { hash } from 'node:crypto';
import { maxListBytes } from '@gatehouse/contract/limits';
import type { Clock } from '../../base/clock.ts';
import {
  OutgoingRequestError,
  OutgoingRequestFailed,
  OutgoingRequestRejected,
} from '../../base/networks/outgoing-error.ts';
import {
  CollectionGone,
  CollectionUnreadable,
  WorkspaceUnavailable,
} from '../../domain/sources/workspaces/workspace.ts';
import type { OutgoingHttp } from '../outgoing/outgoing-http.ts';
import { retryAfterSeconds } from '../outgoing/retry-after.ts';
import type { ListBytes } from './list-table.ts';

/** Validators of a version (RFC 9110, section 8.8), as the server sent them. */
export interface ListVersion {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export interface DownloadedList {
  readonly list: ListBytes;
  /** Undefined if the server has no validators. */
  readonly version: ListVersion | undefined;
}

/** Enough for a preview. */
const beginningBytes = 1024 * 1024;
const bytesOfPart = 1024 * 1024;
const timeoutMilliseconds = 120_000;

/** Downloads a list from its address. */
export class ListDownload {
  readonly #http: OutgoingHttp;
  readonly #address: string;
  readonly #clock: Clock;

  constructor(http: OutgoingHttp, address: string, clock: Clock) {
    this.#http = http;
    this.#address = address;
    this.#clock = clock;
  }

  /** Identifies the address without revealing it. */
  get addressHash(): string {
    return hash('sha256', this.#address, 'base64url');
  }

  /**
   * Returns undefined if the list still is the known version.
   * @throws {CollectionGone}
   * @throws {CollectionUnreadable}
   * @throws {WorkspaceUnavailable}
   */
  async get(known: ListVersion | undefined, signal: AbortSignal): Promise<DownloadedList | undefined> {
    try {
      const response = await this.#open(known, signal);
      if (response.status === 304 && known) return undefined;
      if (response.status !== 200) throw await this.#errorFor(response);
      return { list: await readBody(response, maxListBytes), version: versionOf(response) };
    } catch (error) {
      throw error instanceof OutgoingRequestError ? sourceError(error) : error;
    }
  }

  /** The first megabyte of the list, or all of it if it is smaller. Throws as `get`. */
  async getBeginning(signal: AbortSignal): Promise<ListBytes> {
    try {
      const response = await this.#open(undefined, signal);
      if (response.status !== 200) throw await this.#errorFor(response);
      return await readBody(response, beginningBytes);
    } catch (error) {
      throw error instanceof OutgoingRequestError ? sourceError(error) : error;
    }
  }

  #open(known: ListVersion | undefined, signal: AbortSignal): Promise<Response> {
    return this.#http.fetch(this.#address, {
      headers: headersFor(known),
      redirects: 'follow',
      maxBytes: maxListBytes,
      timeoutMilliseconds,
      signal,
    });
  }

  async #errorFor(response: Response): Promise<Error> {
    const { status, headers } = response;
    await response.body?.cancel();
    const { host } = new URL(this.#address);
    if (status === 404 || status === 410) return new CollectionGone();
    if (status === 401 || status === 403) {
      return new WorkspaceUnavailable(
        'rejected',
        `${host} does not show the list to Gatehouse (status ${status}). Publish it, or correct the URL.`,
      );
    }
    return new WorkspaceUnavailable(
      'unavailable',
      `${host} responded with status ${status} instead of the list. Gatehouse tries again later.`,
      retryAfterSeconds(headers.get('retry-after'), this.#clock()),
    );
  }
}

/** The body of a response, or its beginning. */
async function readBody({ body }: Response, maxBytes: number): Promise<ListBytes> {
  const parts = new ByteParts();
  let isBeginning = false;
  // Leaving the loop ends the download.
  for await (const chunk of body ?? []) {
    const missing = maxBytes - parts.length;
    parts.add(chunk.subarray(0, missing));
    isBeginning = chunk.byteLength > missing;
    if (isBeginning) break;
  }
  return { parts: parts.all, isBeginning };
}

/** Bytes that arrive in small chunks, in a few parts: joining all of them at once would take too long. */
class ByteParts {
  length = 0;
  readonly #full: Uint8Array[] = [];
  #last = new Uint8Array(0);
  #used = 0;

  add(bytes: Uint8Array): void {
    this.length += bytes.byteLength;
    for (let rest = bytes; rest.byteLength > 0; ) {
      if (this.#used === this.#last.byteLength) this.#begin();
      const fitting = rest.subarray(0, this.#last.byteLength - this.#used);
      this.#last.set(fitting, this.#used);
      this.#used += fitting.byteLength;
      rest = rest.subarray(fitting.byteLength);
    }
  }

  get all(): readonly Uint8Array[] {
    return [...this.#full, this.#last.subarray(0, this.#used)];
  }

  #begin(): void {
    if (this.#used > 0) this.#full.push(this.#last);
    this.#last = new Uint8Array(bytesOfPart);
    this.#used = 0;
  }
}

function headersFor(known: ListVersion | undefined): Record<string, string> {
  return {
    accept: 'text/csv, text/tab-separated-values, text/plain;q=0.9, */*;q=0.1',
    ...(known?.etag && { 'if-none-match': known.etag }),
    ...(known?.lastModified && { 'if-modified-since': known.lastModified }),
  };
}

function versionOf({ headers }: Response): ListVersion | undefined {
  const etag = headers.get('etag');
  const lastModified = headers.get('last-modified');
  return etag === null && lastModified === null ? undefined : { etag, lastModified };
}

function sourceError(error: OutgoingRequestError): Error {
  if (error instanceof OutgoingRequestRejected) return new WorkspaceUnavailable('rejected', error.message);
  if (error instanceof OutgoingRequestFailed && error.reason === 'response_too_large') {
    return new CollectionUnreadable(
      'too_large',
      'The list is larger than 50 MiB. Split it into several lists.',
    );
  }
  return new WorkspaceUnavailable('unavailable', error.message);
}
