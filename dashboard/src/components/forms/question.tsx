import { Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { passFocusOn } from '../../hooks/focus.ts';
import { Hint } from '../layout/hint.tsx';
import classes from './question.module.css';

interface QuestionListProps {
  title: string;
  help: string;
  /** Each a `Question`. */
  children: ReactNode;
}

/** Questions that are open. Screen readers read how many when that changes. */
export function QuestionList({ title, help, children }: QuestionListProps) {
  const titleId = useId();
  return (
    <section className={classes.questions} aria-labelledby={titleId} ref={passFocusOn}>
      <div role="status">
        <Title order={2} size="h4" id={titleId}>
          {title}
        </Title>
        <Hint>{help}</Hint>
      </div>
      {children}
    </section>
  );
}

interface QuestionProps {
  title: string;
  help?: string;
  children: ReactNode;
}

/** A question with its answers. */
export function Question({ title, help, children }: QuestionProps) {
  const titleId = useId();
  return (
    <Stack gap={6} role="group" aria-labelledby={titleId} ref={passFocusOn}>
      <div>
        <Title order={3} size="sm" id={titleId}>
          {title}
        </Title>
        {help && <Hint>{help}</Hint>}
      </div>
      {children}
    </Stack>
  );
}

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
      <Text component="span" fw={500}>
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
