import { Menu } from '@mantine/core';
import { useTexts } from '../../../languages/texts.tsx';
import { IconColumns3 } from '../../icons/icons.ts';
import { ActionButton } from '../../layout/action-button.tsx';
import type { MemberColumns } from '../table/columns.ts';

/** Chooses which columns are shown. */
export function ColumnMenu({ choices }: Pick<MemberColumns, 'choices'>) {
  const t = useTexts('members');
  return (
    <Menu width={220}>
      <Menu.Target>
        <ActionButton size="xs" icon={IconColumns3} label={t('columns')} visibleFrom="sm" />
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map(({ name, isShown, toggle }) => (
          <Menu.CheckboxItem key={name} checked={isShown} onChange={toggle}>
            {t(`column.${name}`)}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
