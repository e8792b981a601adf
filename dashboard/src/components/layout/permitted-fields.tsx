import type { Permission } from '@gatehouse/client';
import { Fieldset } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMay } from '../../session/site.ts';

/** Fields that only operators with a permission can change. */
export function PermittedFields({ permission, children }: { permission: Permission; children: ReactNode }) {
  return (
    <Fieldset variant="unstyled" disabled={!useMay(permission)}>
      {children}
    </Fieldset>
  );
}
