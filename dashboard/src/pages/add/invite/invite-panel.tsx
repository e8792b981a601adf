import { Stack, Text } from '@mantine/core';
import { IconMailPlus } from '../../../components/icons/icons.ts';
import { LinkButton } from '../../../components/layout/links.tsx';
import { requestPageCommand } from '../../../hooks/use-page-command.ts';
import { useTexts } from '../../../languages/texts.tsx';

/** What an invitation is, with the way to its form. */
export function InvitePanel() {
  const t = useTexts('add');
  return (
    <Stack maw="34rem" align="flex-start">
      <Text>{t('invite.panel')}</Text>
      <LinkButton
        from="/$site"
        to="/$site/invitations"
        leftSection={<IconMailPlus size={16} aria-hidden />}
        onClick={() => requestPageCommand('new-invitation')}
      >
        {t('invite.create')}
      </LinkButton>
    </Stack>
  );
}
