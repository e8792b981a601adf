import { Code } from '@mantine/core';
import { Hint } from '../../../components/layout/hint.tsx';
import classes from './deliveries.module.css';

interface CodeBlockProps {
  /** What it is, for assistive technology. */
  label: string;
  children: string;
}

/** A text of a request or a response. A long one scrolls, also with the keyboard. */
export function CodeBlock({ label, children }: CodeBlockProps) {
  return (
    <Code block className={classes.code!} tabIndex={0} role="region" aria-label={label}>
      {children}
    </Code>
  );
}

/** Stands for what is not there, or says more about what is. */
export function Remark({ children }: { children: string }) {
  return <Hint>{children}</Hint>;
}
