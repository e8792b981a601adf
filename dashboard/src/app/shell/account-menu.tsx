import { Menu, Text, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { showFailure } from '../../components/feedback/error-notification.tsx';
import { IconKeyboard, IconLogout, IconUserCircle } from '../../components/icons/icons.ts';
import { KeyHint } from '../../components/keyboard/key-hint.tsx';
import { Initials } from '../../components/people/initials.tsx';
import { useMenuTarget } from '../../hooks/use-menu-target.ts';
import { requestPageCommand } from '../../hooks/use-page-command.ts';
import { useTexts } from '../../languages/texts.tsx';
import { logOut, useMe } from '../../session/me.ts';

/** Shows who is logged in, and the logout action. */
export function AccountMenu() {
  const t = useTexts('shell');
  const { operator, version, commit } = useMe();
  const menu = useMenuTarget();
  const name = operator.displayName ?? operator.email;

  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton ref={menu.target} aria-label={t('account', { name })}>
          <Initials name={name} id={operator.id} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text c="var(--mantine-color-text)" fw={500} truncate>
            {name}
          </Text>
          <Text size="xs" truncate>
            {operator.email}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconUserCircle size={16} aria-hidden />}
          rightSection={<KeyHint keys="g u" />}
          renderRoot={(props) => <Link to="/me" {...props} />}
        >
          {t('me')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconKeyboard size={16} aria-hidden />}
          rightSection={<KeyHint keys="?" />}
          onClick={menu.act(() => requestPageCommand('shortcuts'))}
        >
          {t('shortcuts')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout size={16} aria-hidden />}
          onClick={() => logOut(false).catch(showFailure)}
        >
          {t('logOut')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>
          <Text size="xs">{`Gatehouse ${version}${commit === null ? '' : ` (${commit})`}`}</Text>
        </Menu.Label>
      </Menu.Dropdown>
    </Menu>
  );
}
