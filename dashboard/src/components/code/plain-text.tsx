import { Text } from '@mantine/core';
import classes from './plain-text.module.css';

interface PlainTextProps {
  /** How many lines are shown; all of them if left out. */
  maxLines?: number | undefined;
  children: string;
}

/** A text that anybody may have written: it keeps its lines, and stays in its place. */
export function PlainText({ maxLines, children }: PlainTextProps) {
  return (
    <Text className={classes.text!} dir="auto" {...(maxLines !== undefined && { lineClamp: maxLines })}>
      {children}
    </Text>
  );
}
