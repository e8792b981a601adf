import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconMapQuestion } from '../components/icons/icons.ts';
import { EmptyState } from '../components/layout/empty-state.tsx';
import { useTexts } from '../languages/texts.tsx';

export function NotFoundPage() {
  const t = useTexts('shell');
  return (
    <>
      <title>{`${t('notFoundTitle')} · Gatehouse`}</title>
      <EmptyState
        icon={IconMapQuestion}
        title={t('notFoundTitle')}
        order={1}
        action={<Button renderRoot={(props) => <Link to="/" {...props} />}>{t('notFoundAction')}</Button>}
      >
        {t('notFoundText')}
      </EmptyState>
    </>
  );
}
