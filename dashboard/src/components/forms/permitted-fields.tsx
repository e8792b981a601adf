import type { Permission } from '@gatehouse/client';
import { Fieldset } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMay } from '../../session/site.ts';

/** Fields that only operators with all of the permissions can change. */
export function PermittedFields({
  permissions,
  children,
}: {
  permissions: readonly Permission[];
  children: ReactNode;
}) {
  return (
    <Fieldset variant="unstyled" disabled={!useMay(...permissions)}>
      {children}
    </Fieldset>
  );
}
