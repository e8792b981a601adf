import type { ReactNode } from 'react';
import { IconArrowLeft } from '../icons/icons.ts';
import { LinkText } from './links.tsx';

interface BackLinkProps {
  to:
    | '/$site/members'
    | '/$site/invitations'
    | '/$site/groups'
    | '/$site/rules'
    | '/$site/sources'
    | '/$site/webhooks';
  children: ReactNode;
}

/** The link of a page back to its list. */
export function BackLink({ to, children }: BackLinkProps) {
  return (
    <LinkText
      from="/$site"
      to={to}
      size="sm"
      display="inline-flex"
      style={{ alignItems: 'center', gap: 4 }}
      mb="xs"
    >
      <IconArrowLeft size={14} aria-hidden className="mirrored" /> {children}
    </LinkText>
  );
}
