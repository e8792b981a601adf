import type { AccessRule, Site } from '@gatehouse/contract';
import { protectedBelowPublicRoot } from '@gatehouse/contract/rule-paths';
import type { Settings } from '../settings.ts';
import { type Check, warn } from './check.ts';

const maxShown = 5;
const remedy = '/ to members, and give what is public rules of its own (docs/guides/access-rules.md)';

/**
 * Whether everybody has access to `/` while rules protect pages below it. Only a folder of files shows each page at
 * its path alone.
 */
export function checkPublicRoot(site: Site, rules: readonly AccessRule[], settings: Settings): Check[] {
  const { siteFolder, siteUpstream, site: served = site.slug } = settings;
  const isServedHere = served === site.slug;
  if (isServedHere && siteFolder !== undefined) return [];
  const problem = describePublicRoot(rules);
  if (problem === undefined) return [];
  const advice =
    isServedHere && siteUpstream !== undefined
      ? `Set ${remedy}.`
      : `If a program makes the pages, set ${remedy}. If they are files in a folder, nothing has to change.`;
  return [{ ...warn('rules', problem, advice), site: site.slug }];
}

/** What a program may show to everybody although rules protect it, in one sentence; undefined for nothing. */
export function describePublicRoot(rules: readonly AccessRule[]): string | undefined {
  const paths = protectedBelowPublicRoot(rules);
  if (paths.length === 0) return undefined;
  const more = paths.length - maxShown;
  const shown = paths.slice(0, maxShown).join(', ') + (more > 0 ? `, and ${more} more` : '');
  return (
    `everybody has access to /, so a program may show the protected pages (${shown}) at other addresses, ` +
    'such as /?s=, /feed/ or /wp-json/'
  );
}
