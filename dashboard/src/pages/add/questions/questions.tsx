import type { ListQuestion, SiteOfList } from '@gatehouse/member-lists';
import { Title } from '@mantine/core';
import { useId } from 'react';
import { Hint } from '../../../components/layout/hint.tsx';
import { passFocusOn } from '../../../hooks/focus.ts';
import { useTexts } from '../../../languages/texts.tsx';
import type { FilePart } from '../file/file-part.ts';
import { ColumnQuestion } from './column-question.tsx';
import { DateOrderQuestion } from './date-order-question.tsx';
import { GroupsQuestion } from './groups-question.tsx';
import classes from './questions.module.css';
import { SeparatorQuestion } from './separator-question.tsx';
import { StatusQuestion } from './status-question.tsx';

interface QuestionsProps extends FilePart {
  questions: readonly ListQuestion[];
  site: SiteOfList;
}

/** The questions that a list leaves open. Each can be answered with one click, or later, or not at all. */
export function Questions({ questions, ...parts }: QuestionsProps) {
  const t = useTexts('add');
  const titleId = useId();
  if (questions.length === 0) return null;
  const isOptional = questions.every(({ type }) => type === 'groups');
  return (
    <section className={classes.questions} aria-labelledby={titleId} ref={passFocusOn}>
      <div role="status">
        <Title order={2} size="h4" id={titleId}>
          {t('questions', { count: questions.length })}
        </Title>
        <Hint>{t(isOptional ? 'questionsHelpOptional' : 'questionsHelp')}</Hint>
      </div>
      {questions.map((question) => (
        <Question key={keyOf(question)} question={question} {...parts} />
      ))}
    </section>
  );
}

function Question({ question, ...parts }: Omit<QuestionsProps, 'questions'> & { question: ListQuestion }) {
  switch (question.type) {
    case 'column':
      return <ColumnQuestion question={question} {...parts} />;
    case 'dateOrder':
      return <DateOrderQuestion question={question} {...parts} />;
    case 'groupSeparator':
      return <SeparatorQuestion question={question} {...parts} />;
    case 'statusWords':
      return <StatusQuestion question={question} {...parts} />;
    default:
      return <GroupsQuestion question={question} {...parts} />;
  }
}

function keyOf(question: ListQuestion): string {
  return question.type === 'column' ? `column ${question.field}` : question.type;
}
