import type { AccessRule } from '@gatehouse/contract';
import { protectedBelowPublicRoot } from '@gatehouse/contract/rule-paths';

const maxShown = 5;

/** What a program may show to everyone although rules protect it, in one sentence; undefined for nothing. */
export function describePublicRoot(rules: readonly AccessRule[]): string | undefined {
  const paths = protectedBelowPublicRoot(rules);
  if (paths.length === 0) return undefined;
  const more = paths.length - maxShown;
  const shown = paths.slice(0, maxShown).join(', ') + (more > 0 ? `, and ${more} more` : '');
  return (
    `everybody has access to /, so a program may show the protected pages (${shown}) at other URLs, ` +
    'such as /?s=, /feed/ or /wp-json/'
  );
}
