import { IconMapQuestion } from '../components/icons/icons.ts';
import { EmptyState } from '../components/layout/empty-state.tsx';
import { LinkButton } from '../components/layout/links.tsx';
import { useTexts } from '../languages/texts.tsx';

export function NotFoundPage() {
  const t = useTexts('shell');
  return (
    <EmptyState
      icon={IconMapQuestion}
      title={t('notFoundTitle')}
      order={1}
      action={<LinkButton to="/">{t('notFoundAction')}</LinkButton>}
    >
      {t('notFoundText')}
    </EmptyState>
  );
}
