import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface PageHeaderProps {
  title: string;
  description?: ReactNode;
  /** A link back to the parent list. */
  back?: ReactNode;
  /** The actions of the page, the most important one last. */
  actions?: ReactNode;
}

/** The header of every page: its title, which is also the window title, and its actions. */
export function PageHeader({ title, description, back, actions }: PageHeaderProps) {
  return (
    <header>
      <title>{`${title} · Gatehouse`}</title>
      {back}
      <Group justify="space-between" align="flex-start" gap="sm" mb="lg">
        <Stack gap={4} flex="1 1 16rem" miw={0}>
          <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {description && <Text c="dimmed">{description}</Text>}
        </Stack>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
    </header>
  );
}
