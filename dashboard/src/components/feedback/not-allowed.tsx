import type { Permission } from '@gatehouse/client';
import type { ReactNode } from 'react';
import { IconLock } from '../icons/icons.ts';
import { EmptyState } from '../layout/empty-state.tsx';
import { Contact } from '../people/contact.tsx';

interface NotAllowedProps {
  title: string;
  needs: readonly Permission[];
  /** A link to where the operator can continue. */
  back: ReactNode;
}

/** In place of a page for a change that the operator's role does not allow. */
export function NotAllowed({ title, needs, back }: NotAllowedProps) {
  return (
    <EmptyState icon={IconLock} title={title} action={back} order={1}>
      <Contact needs={needs} />
    </EmptyState>
  );
}
