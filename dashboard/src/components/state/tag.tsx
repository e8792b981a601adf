import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';

interface TagProps {
  /** What it means, shown on hover. */
  title?: string;
  children: ReactNode;
}

/** A word that marks something, and is no state of it: "You", "Member". */
export function Tag({ title, children }: TagProps) {
  return (
    <Badge variant="light" color="gray" c="dimmed" maw="100%" {...(title !== undefined && { title })}>
      {children}
    </Badge>
  );
}
