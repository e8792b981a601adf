import { Text, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './questions.module.css';

/** The possible answers to a question. */
export function Answers({ children }: { children: ReactNode }) {
  return <div className={classes.answers}>{children}</div>;
}

interface AnswerProps {
  children: ReactNode;
  /** What it would mean for the list. */
  example?: ReactNode;
  choose: () => void;
}

/** One of the possible answers, which a click gives. */
export function Answer({ children, example, choose }: AnswerProps) {
  return (
    <UnstyledButton className={classes.answer!} onClick={choose}>
      <Text component="span" size="sm" fw={500}>
        {children}
      </Text>
      {example && (
        <Text component="span" size="xs" c="dimmed">
          {example}
        </Text>
      )}
    </UnstyledButton>
  );
}
