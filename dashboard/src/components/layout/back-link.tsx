import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSite } from '../../session/site.ts';
import { IconArrowLeft } from '../icons/icons.ts';

interface BackLinkProps {
  to: '/$site/members' | '/$site/groups' | '/$site/sources' | '/$site/webhooks';
  children: ReactNode;
}

/** The link of a page back to its list. */
export function BackLink({ to, children }: BackLinkProps) {
  const { slug } = useSite();
  return (
    <Anchor
      renderRoot={(props) => <Link to={to} params={{ site: slug }} {...props} />}
      size="sm"
      display="inline-flex"
      style={{ alignItems: 'center', gap: 4 }}
      mb="xs"
    >
      <IconArrowLeft size={14} aria-hidden className="mirrored" /> {children}
    </Anchor>
  );
}
