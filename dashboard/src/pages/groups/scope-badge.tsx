import { Badge } from '@mantine/core';
import { useTexts } from '../../languages/texts.tsx';

/** Says that a group follows an external workspace; why that matters is said on the group's page. */
export function ScopeBadge() {
  const t = useTexts('groups');
  return (
    <Badge variant="light" color="gray" c="dimmed" title={t('scopeHelp')}>
      {t('scope')}
    </Badge>
  );
}
