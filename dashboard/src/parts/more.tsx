import { Button, Center } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { useEffect } from 'react';
import { useTexts } from '../languages/texts.tsx';

/** At the end of what is there: the next page comes by itself once this is in sight, or when it is pressed. */
export function More({ loading, load }: { loading: boolean; load: () => void }) {
  const t = useTexts('parts');
  const { ref, entry } = useIntersection({ rootMargin: '400px' });
  const near = entry?.isIntersecting ?? false;
  useEffect(() => {
    if (near && !loading) load();
  }, [near, loading, load]);
  return (
    <Center ref={ref} mt="md">
      <Button variant="default" loading={loading} onClick={load}>
        {t('more')}
      </Button>
    </Center>
  );
}
