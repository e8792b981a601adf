import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionProps {
  title: string;
  description?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

/** A section of a page with its own heading. */
export function Section({ title, description, action, children }: SectionProps) {
  return (
    <Paper component="section" withBorder p={{ base: 'md', sm: 'lg' }} radius="lg">
      <Group justify="space-between" align="flex-start" gap="sm" mb="md">
        <Stack gap={2} flex="1 1 14rem">
          <Title order={2} size="h4">
            {title}
          </Title>
          {description && <Text c="dimmed">{description}</Text>}
        </Stack>
        {action}
      </Group>
      {children}
    </Paper>
  );
}
