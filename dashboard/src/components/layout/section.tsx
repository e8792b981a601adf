import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './section.module.css';

interface SectionProps {
  title: string;
  description?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

/** A section of a page: its heading, a line, and its content. */
export function Section({ children, ...head }: SectionProps) {
  return (
    <section>
      <div className={classes.head}>
        <Heading {...head} />
      </div>
      {children}
    </section>
  );
}

/** The heading of a section or a card, with its action. */
export function Heading({ title, description, action }: Omit<SectionProps, 'children'>) {
  return (
    <div className={classes.heading}>
      <Stack gap={2} flex="1 1 14rem" miw={0}>
        <Title order={2} size="h4">
          {title}
        </Title>
        {description && (
          <Text c="dimmed" size="sm">
            {description}
          </Text>
        )}
      </Stack>
      {action}
    </div>
  );
}
