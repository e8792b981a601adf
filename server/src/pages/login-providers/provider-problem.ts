import { type Html, html } from '../../base/text/html.ts';
import { fillHtml, isolated, type PageFrame, pageTexts } from '../page.ts';

/**
 * Why a login at a provider has failed. `denied`: it was canceled there. `refused`: it gives no access here, for whatever
 * reason. `expired`: it was begun too long ago, or in another browser.
 */
export const providerProblems = ['denied', 'unavailable', 'rejected', 'refused', 'expired'] as const;

export interface ProviderProblem {
  readonly reason: (typeof providerProblems)[number];
  /** The name of the provider; null if it is not known any more. */
  readonly provider: string | null;
}

export function providerProblemText(frame: PageFrame, { reason, provider }: ProviderProblem): Html {
  const { texts } = pageTexts(frame);
  if (provider === null) return html`${texts['provider.problem.expired']}`;
  const names = { provider: isolated(provider), site: isolated(frame.site.title) };
  return fillHtml(texts[`provider.problem.${reason}`], names);
}
