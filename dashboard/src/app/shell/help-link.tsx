import { ActionIcon } from '@mantine/core';
import { useParams, useRouterState } from '@tanstack/react-router';
import { IconHelp } from '../../components/icons/icons.ts';
import { useTexts } from '../../languages/texts.tsx';
import { helpAddress } from './help-pages.ts';

/** Opens the documentation for the page that is shown, in a new tab: what was entered here stays. */
export function HelpLink() {
  const t = useTexts('shell');
  const { section } = useParams({ strict: false });
  const address = useRouterState({
    select: ({ matches, location }) =>
      helpAddress(matches.at(-1)?.fullPath ?? '', location.search.type, section),
  });
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      title={t('help')}
      renderRoot={(props) => (
        <a href={address} target="_blank" rel="noreferrer" aria-label={t('help')} {...props} />
      )}
    >
      <IconHelp size={20} aria-hidden />
    </ActionIcon>
  );
}
