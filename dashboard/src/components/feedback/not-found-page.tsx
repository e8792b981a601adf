import { useTexts } from '../../languages/texts.tsx';
import { IconMapQuestion } from '../icons/icons.ts';
import { EmptyState } from '../layout/empty-state.tsx';
import { LinkButton } from '../layout/links.tsx';

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
