import type { GateResult } from '../../../domain/access-rules/site-access.ts';

/**
 * Whether a page is the same for all visitors, so that caches may show it to others. To a logged-in visitor, a public page
 * may show the name, and a condition or a page code may let some anonymous visitors in and not others.
 */
export function isForEverybody({ decision, visitor, pageCode }: GateResult): boolean {
  return decision.reason === 'public' && visitor === undefined && pageCode === undefined;
}
