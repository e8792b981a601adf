import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './facts.module.css';

/** A list of names and values: the parent of `Fact`. */
export function Facts({ children, size = 'sm' }: { children: ReactNode; size?: 'xs' | 'sm' }) {
  return (
    <Text component="dl" size={size} className={classes.facts!}>
      {children}
    </Text>
  );
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
