import type { AccessRule, Site } from '@gatehouse/contract';
import { describePublicRoot } from '../../../app/public-root.ts';
import type { Settings } from '../../../app/settings/settings.ts';
import { type Check, warn } from './check.ts';

const remedy = '/ to members, and give what is public rules of its own (docs/guides/access-rules.md)';

/**
 * Whether everyone has access to `/` while rules protect pages below it. Only a folder of files shows each page at
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
