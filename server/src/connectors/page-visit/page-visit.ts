import { maxPageCheckBytes, maxPageCheckRequests } from '@gatehouse/contract/limits';
import { ApiError } from '../../base/api-error.ts';
import { OutgoingRequestError } from '../../base/networks/outgoing-error.ts';
import type { LoadedPage, OwnPages } from '../../domain/access-rules/page-checks/page-loader.ts';
import { type OutgoingHttp, redirectStatuses } from '../outgoing/outgoing-http.ts';
import { readStyleSheet } from './css-files.ts';
import { FoundFiles } from './found-files.ts';
import { readHtml } from './html-files.ts';

const maxRedirects = 3;

/** One visit of a page, whose requests share their limits. */
export class PageVisit {
  readonly #http: OutgoingHttp;
  readonly #pages: OwnPages;
  readonly #signal: AbortSignal;
  readonly #files: FoundFiles;
  #bytesLeft = maxPageCheckBytes;
  #requestsLeft = maxPageCheckRequests;

  /** @param signal aborted when the time for the whole visit is over */
  constructor(http: OutgoingHttp, pages: OwnPages, signal: AbortSignal) {
    this.#http = http;
    this.#pages = pages;
    this.#signal = signal;
    this.#files = new FoundFiles(pages);
  }

  /** @throws {ApiError}, {OutgoingRequestError}, or the reason of the signal */
  async load(address: URL): Promise<LoadedPage> {
    const { url, response } = await this.#get(address, 'text/html,application/xhtml+xml');
    const { status } = response;
    if (status !== 200) {
      await response.body?.cancel();
      if (status === 401 || status === 403)
        throw notPublic(`denies it to anonymous visitors (status ${status})`);
      return { url, status, files: [], isComplete: true };
    }
    if (!/^(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i.test(mediaTypeOf(response))) {
      await response.body?.cancel();
      throw new ApiError(
        'page_not_html',
        'The response is not an HTML page. Check a page that loads the files.',
      );
    }
    await readHtml(await this.#read(response), url, this.#files);
    await this.#loadStyleSheets();
    const { all, isComplete } = this.#files;
    return { url, status, files: all.filter((file) => file.url.href !== url.href), isComplete };
  }

  /** Those that they import too, because a list is iterated to the end that it has then. */
  async #loadStyleSheets(): Promise<void> {
    for (const { url, type } of this.#files) {
      if (type !== 'style_sheet' || !this.#pages.isOpen(url)) continue;
      if (!(await this.#loadStyleSheet(url))) this.#files.isComplete = false;
    }
  }

  /** Whether it was read. */
  async #loadStyleSheet(address: URL): Promise<boolean> {
    if (this.#requestsLeft <= 0 || this.#bytesLeft <= 0 || this.#signal.aborted) return false;
    try {
      const { url, response } = await this.#get(address, 'text/css,*/*;q=0.1');
      if (response.status !== 200 || !/^text\/css\s*(?:;|$)/i.test(mediaTypeOf(response))) {
        await response.body?.cancel();
        return false;
      }
      readStyleSheet(await this.#read(response), url, this.#files);
      return true;
    } catch (error) {
      if (error instanceof ApiError || error instanceof OutgoingRequestError || this.#signal.aborted)
        return false;
      throw error;
    }
  }

  /** Follows redirects to what is open on the hosts of the site, and to nothing else. */
  async #get(address: URL, accept: string): Promise<{ readonly url: URL; readonly response: Response }> {
    let url = address;
    for (let redirects = 0; redirects <= maxRedirects && this.#requestsLeft > 0; redirects++) {
      this.#requestsLeft -= 1;
      const response = await this.#http.fetch(url, {
        headers: { accept },
        redirects: 'manual',
        maxBytes: this.#bytesLeft,
        signal: this.#signal,
      });
      const location = response.headers.get('location');
      if (location === null || !redirectStatuses.has(response.status)) return { url, response };
      url = this.#targetOf(url, location);
    }
    throw redirected('The page redirects too often.');
  }

  #targetOf(url: URL, location: string): URL {
    const named = URL.parse(location, url);
    const target = named && this.#pages.locate(named);
    if (!target) throw redirected('The page redirects to a URL that is not on a host of the site.');
    target.hash = '';
    if (!this.#pages.isOpen(target))
      throw notPublic('redirects anonymous visitors to a page that is not public');
    return target;
  }

  /** The text of a body, as far as the limit of bytes allows. */
  async #read({ body, headers }: Response): Promise<string> {
    const chunks: Uint8Array[] = [];
    try {
      for await (const chunk of body ?? []) {
        chunks.push(chunk);
        this.#bytesLeft -= chunk.byteLength;
      }
    } catch (error) {
      if (!(error instanceof OutgoingRequestError) || error.reason !== 'response_too_large') throw error;
      this.#bytesLeft = 0;
      this.#files.isComplete = false;
    }
    return decoderFor(headers).decode(Buffer.concat(chunks));
  }
}

function mediaTypeOf({ headers }: Response): string {
  return headers.get('content-type') ?? '';
}

/** Names of files are ASCII in almost all pages, so that a wrong encoding makes no difference. */
function decoderFor(headers: Headers): TextDecoder {
  const charset = /;\s*charset\s*=\s*"?([\w:.-]+)/i.exec(headers.get('content-type') ?? '')?.[1];
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

function redirected(what: string): ApiError {
  return new ApiError('page_redirected', `${what} Check the page that it finally leads to.`);
}

function notPublic(what: string): ApiError {
  return new ApiError(
    'page_not_public',
    `The server ${what}. Give the page a rule with public, save it, and check the page again.`,
  );
}
