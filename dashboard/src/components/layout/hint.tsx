import { Text, type TextProps } from '@mantine/core';
import type { ReactNode } from 'react';

/** A quiet text that explains or completes what is above it. */
export function Hint(props: TextProps & { children: ReactNode }) {
  return <Text size="sm" c="dimmed" {...props} />;
}

/** What is wrong, next to what it concerns. Screen readers read it when it appears. */
export function Problem({ children }: { children: ReactNode }) {
  return (
    <Text c="var(--mantine-color-error)" role="alert">
      {children}
    </Text>
  );
}
