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

/** A name and its value. Without a value, nothing is shown. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === null || children === false) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
