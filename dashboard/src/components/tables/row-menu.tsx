import { ActionIcon, Menu } from '@mantine/core';
import { useMenuTarget } from '../../hooks/use-menu-target.ts';
import type { Icon } from '../icons/icon.tsx';
import { IconDots } from '../icons/icons.ts';

/** What can be done with a row. */
export interface RowAction {
  readonly icon: Icon;
  readonly text: string;
  readonly act: () => void;
  /** Whether it takes something away. */
  readonly isDanger?: boolean;
}

interface RowMenuProps {
  /** Names the row too, because each has such a menu. */
  label: string;
  actions: readonly RowAction[];
}

/** The menu at the end of a row, with what can be done with it. Nothing if nothing can be. */
export function RowMenu({ label, actions }: RowMenuProps) {
  const menu = useMenuTarget();
  if (actions.length === 0) return null;
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={28} aria-label={label} ref={menu.target}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ icon: Icon, text, act, isDanger }) => (
          <Menu.Item
            key={text}
            leftSection={<Icon size={16} aria-hidden />}
            {...(isDanger && { color: 'red' })}
            onClick={menu.act(act)}
          >
            {text}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
