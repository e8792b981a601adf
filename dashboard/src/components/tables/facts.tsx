import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './facts.module.css';

interface FactsProps {
  /** Each a `Fact`. */
  children: ReactNode;
  size?: 'xs' | 'sm';
  /** Whether they follow each other in lines, instead of one below the other. */
  inLines?: boolean;
}

/** A list of names and values. */
export function Facts({ children, size = 'sm', inLines = false }: FactsProps) {
  return (
    <Text component="dl" size={size} className={inLines ? classes.lines! : classes.facts!}>
      {children}
    </Text>
  );
}

/** A name and its value. Without a value, nothing is shown. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === null || children === false) return null;
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
