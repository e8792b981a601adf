import { Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon: Icon;
  title: string;
  /** What to do first. */
  children: ReactNode;
  action?: ReactNode;
  /** 1 where it is all that the page says. */
  order?: 1 | 2;
}

/** In the place of a list that has nothing yet. */
export function EmptyState({ icon: Icon, title, children, action, order = 2 }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py={64} px="md" ta="center">
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
