import { Anchor } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../languages/texts.tsx';
import { useSite } from '../../session/site.ts';

export function BackToSources() {
  const t = useTexts('sources');
  const { slug } = useSite();
  return (
    <Anchor
      renderRoot={(props) => <Link to="/$site/sources" params={{ site: slug }} {...props} />}
      size="sm"
      display="inline-flex"
      style={{ alignItems: 'center', gap: 4 }}
      mb="xs"
    >
      <IconArrowLeft size={14} aria-hidden className="mirrored" /> {t('back')}
    </Anchor>
  );
}
