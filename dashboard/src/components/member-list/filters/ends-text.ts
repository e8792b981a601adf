import type { Texts } from '../../../languages/texts.tsx';
import type { EndsWithin } from '../members-search.ts';

/** The filter by the end of memberships, in words. */
export function endsText(t: Texts<'members'>, within: EndsWithin): string {
  return within === 'month' ? t('filter.endsThisMonth') : t('filter.ends', { days: within });
}
