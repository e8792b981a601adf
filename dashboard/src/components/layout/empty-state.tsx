import { Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { passFocusOn } from '../../hooks/focus.ts';
import type { Icon } from '../icons/icon.tsx';

interface EmptyStateProps {
  icon: Icon;
  title: string;
  /** What the list is for. */
  children: ReactNode;
  /** The one next step; for those who may not take it, `Contact`. */
  action?: ReactNode;
  /** 1 if it is the only content of the page. */
  order?: 1 | 2;
}

/** Replaces an empty list. */
export function EmptyState({ icon: Icon, title, children, action, order = 2 }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py={64} px="md" ta="center" ref={passFocusOn}>
      {order === 1 && <title>{`${title} · Gatehouse`}</title>}
      <ThemeIcon variant="light" size={48} radius="xl" aria-hidden>
        <Icon size={24} stroke={1.5} />
      </ThemeIcon>
      <Title order={order} size="h4" mt="xs">
        {title}
      </Title>
      <Text c="dimmed" maw="26rem">
        {children}
      </Text>
      {action && <div style={{ marginBlockStart: '0.5rem' }}>{action}</div>}
    </Stack>
  );
}
