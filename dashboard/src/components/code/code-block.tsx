import { Code } from '@mantine/core';
import classes from './code-block.module.css';

interface CodeBlockProps {
  id?: string;
  /** What it is, for assistive technology. */
  label?: string;
  /** Whether a long one scrolls, also with the keyboard. */
  scrolls?: boolean;
  children: string;
}

/** A text for programs, or one that is shown as it is, such as a link, a secret or a request. */
export function CodeBlock({ id, label, scrolls = false, children }: CodeBlockProps) {
  return (
    <Code
      block
      className={classes.block!}
      {...(id !== undefined && { id })}
      {...(label !== undefined && { 'aria-label': label })}
      {...(scrolls && { tabIndex: 0, role: 'region', 'data-scrolls': true })}
    >
      {children}
    </Code>
  );
}
