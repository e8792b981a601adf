import { type Texts, useTexts } from '../../languages/texts.tsx';
import { IconSearchOff } from '../icons/icons.ts';
import { ActionButton } from '../layout/action-button.tsx';
import { EmptyState } from '../layout/empty-state.tsx';
import { isFiltered, type MembersSearch } from './members-search.ts';

/** Shown if nobody matches: what to search for, or what the filters mean. */
export function NoMembersFound({ search, clear }: { search: MembersSearch; clear: () => void }) {
  const t = useTexts('members');
  const isSearched = search.q !== undefined;
  return (
    <EmptyState
      icon={IconSearchOff}
      title={isSearched ? t('noMatch') : filteredTitle(t, search)}
      action={<ActionButton label={t(isSearched ? 'showAll' : 'clearFilters')} onClick={clear} />}
    >
      {isSearched && t('noMatchText')}
    </EmptyState>
  );
}

function filteredTitle(t: Texts<'members'>, { ends, ...others }: MembersSearch): string {
  if (ends === undefined || isFiltered(others)) return t('noneFiltered');
  return ends === 'month' ? t('noneEndsThisMonth') : t('noneEnds', { days: ends });
}
