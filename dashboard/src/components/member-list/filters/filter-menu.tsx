import { Menu } from '@mantine/core';
import { useTexts } from '../../../languages/texts.tsx';
import { IconAdjustmentsHorizontal } from '../../icons/icons.ts';
import { ActionButton } from '../../layout/action-button.tsx';
import { endsWithin, type MembersSearch } from '../members-search.ts';
import { endsText } from './ends-text.ts';
import { stateFilters } from './state-filters.ts';

interface FilterMenuProps {
  search: MembersSearch;
  change: (changes: Partial<MembersSearch>) => void;
}

/** Filters by the state of the members, and by the end of their memberships. */
export function FilterMenu({ search, change }: FilterMenuProps) {
  const t = useTexts('members');
  return (
    <Menu width="max-content">
      <Menu.Target>
        <ActionButton size="xs" icon={IconAdjustmentsHorizontal} label={t('filter')} />
      </Menu.Target>
      <Menu.Dropdown>
        {stateFilters.map((filter, index) => {
          const { field, value } = filter;
          const isChosen = search[field] === value;
          return [
            index > 0 && stateFilters[index - 1]!.field !== field && <Menu.Divider key={field} />,
            <Menu.CheckboxItem
              key={filter.name}
              checked={isChosen}
              onChange={() => change({ [field]: isChosen ? undefined : value })}
            >
              {t(filter.name)}
            </Menu.CheckboxItem>,
          ];
        })}
        <Menu.Divider />
        {endsWithin.map((within) => (
          <Menu.CheckboxItem
            key={within}
            checked={search.ends === within}
            onChange={() => change({ ends: search.ends === within ? undefined : within })}
          >
            {endsText(t, within)}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
