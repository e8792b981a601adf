import { Center } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { useEffect } from 'react';
import { passFocusOn } from '../../hooks/focus.ts';
import { useTexts } from '../../languages/texts.tsx';
import { ActionButton } from '../layout/action-button.tsx';

/** At the end of a list: loads the next page when it becomes visible or is pressed. */
export function LoadMore({ loading, load }: { loading: boolean; load: () => void }) {
  const t = useTexts('common');
  const { ref, entry } = useIntersection({ rootMargin: '400px' });
  const near = entry?.isIntersecting ?? false;
  useEffect(() => {
    if (near && !loading) load();
  }, [near, loading, load]);
  return (
    <Center ref={ref} mt="md">
      <ActionButton label={t('more')} loading={loading} onClick={load} ref={passFocusOn} />
    </Center>
  );
}
