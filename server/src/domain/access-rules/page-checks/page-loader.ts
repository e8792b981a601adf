import type { PageFileType } from '@gatehouse/contract';

/** A file that a page loads from a host of the site. */
export interface FileOfPage {
  /** Without fragment. */
  readonly url: URL;
  readonly type: PageFileType;
}

/** A page as an anonymous visitor gets it. */
export interface LoadedPage {
  /** After redirects. */
  readonly url: URL;
  readonly status: number;
  readonly files: readonly FileOfPage[];
  /** False if the page may load further files. */
  readonly isComplete: boolean;
}

/** The pages of a site, as far as a browser may be led to them. */
export interface OwnPages {
  /** The URL from which a browser gets what a URL names; undefined if that is not on a host of the site. */
  locate(url: URL): URL | undefined;
  /** Whether an anonymous visitor has access to a URL of the site. */
  isOpen(url: URL): boolean;
}

/** Requests pages as a browser does. `connectors/page-visit/http-page-loader.ts` implements it. */
export interface PageLoader {
  /**
   * Requests a page, and the style sheets that it loads, from nothing but open URLs on hosts of the site.
   * @throws {ApiError} `page_not_public`, `page_redirected`, `page_not_html`, `page_unavailable`, `rate_limited`
   */
  load(siteId: string, address: URL, pages: OwnPages): Promise<LoadedPage>;
}
