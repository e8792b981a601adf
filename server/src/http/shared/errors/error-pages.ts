import type { Site } from '@gatehouse/contract';
import { memberPages, operatorPages } from '../../../domain/sites/page-addresses.ts';
import { noLinks } from '../../../domain/sites/site-links.ts';
import { chooseLanguage } from '../../../i18n/languages.ts';
import { type MessagePage, messagePage } from '../../../pages/pages.ts';
import {
  embeddedAssets,
  frameWithoutSite,
  headersWithoutSite,
  transportHeaders,
} from '../pages/page-frame.ts';

/** What is known of a request that has failed before any part of the server could handle it. */
export interface FailedRequest {
  /** Undefined if it cannot be read. */
  readonly target: string | undefined;
  readonly acceptLanguage: string | undefined;
  /** The address that sent it. */
  readonly sender: string;
}

/** A page for visitors, with its headers. */
export interface ErrorPage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The errors of requests that are rejected before a part of the server handles them. Programs get error responses, and
 * visitors pages, which load nothing: a browser would send the same request headers again.
 */
export class ErrorPages {
  readonly #isForVisitor: (request: FailedRequest) => boolean;
  readonly #site: () => Promise<Site | undefined>;

  /** @param site the only site that the server has, if it has one */
  constructor(
    isForVisitor: (request: FailedRequest) => boolean,
    site: () => Promise<Site | undefined> = async () => undefined,
  ) {
    this.#isForVisitor = isForVisitor;
    this.#site = site;
  }

  /** The page for a visitor; undefined if the request is that of a program. */
  async pageFor(request: FailedRequest, kind: MessagePage['kind']): Promise<ErrorPage | undefined> {
    if (!this.#isForVisitor(request)) return undefined;
    const { acceptLanguage, target } = request;
    const site = await this.#site().catch(() => undefined);
    const unnamed = frameWithoutSite(acceptLanguage);
    const frame = site
      ? {
          ...unnamed,
          site: { title: site.title, color: site.color, logoUrl: null, links: noLinks },
          language: chooseLanguage(acceptLanguage, site.languages),
          ...embeddedAssets(site),
        }
      : unnamed;
    const addresses = isOfDashboard(target) ? operatorPages : memberPages;
    return {
      headers: { ...headersWithoutSite, ...(site && transportHeaders(site)) },
      body: messagePage({ ...frame, addresses }, { kind }),
    };
  }
}

/**
 * Whether a page of the service was requested. Where the target cannot be read, a trusted proxy most likely passes on the
 * request of a visitor.
 */
export function isForPage({ target, sender }: FailedRequest, isProxy: (address: string) => boolean): boolean {
  if (target === undefined) return isProxy(sender);
  return target.startsWith(`${memberPages.prefix}/`) || isOfDashboard(target);
}

function isOfDashboard(target = ''): boolean {
  return /^\/dashboard(?!\/api\/)(?:[/?]|$)/.test(target);
}
