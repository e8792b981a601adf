import { Badge } from '@mantine/core';
import { useTexts } from '../../languages/texts.tsx';

/** Marks a group that is managed by an external workspace. The page of the group explains it. */
export function ScopeBadge() {
  const t = useTexts('groups');
  return (
    <Badge variant="light" color="gray" c="dimmed" title={t('scopeHelp')}>
      {t('scope')}
    </Badge>
  );
}
