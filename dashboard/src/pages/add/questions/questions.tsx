import type { ListQuestion, SiteOfList } from '@gatehouse/member-lists';
import { QuestionList } from '../../../components/forms/question.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import type { FilePart } from '../file/file-part.ts';
import { ColumnQuestion } from './column-question.tsx';
import { DateOrderQuestion } from './date-order-question.tsx';
import { GroupsQuestion } from './groups-question.tsx';
import { SeparatorQuestion } from './separator-question.tsx';
import { StatusQuestion } from './status-question.tsx';

interface QuestionsProps extends FilePart {
  questions: readonly ListQuestion[];
  site: SiteOfList;
}

/** The questions that a list leaves open. Each can be answered with one click, or later, or not at all. */
export function Questions({ questions, ...parts }: QuestionsProps) {
  const t = useTexts('add');
  if (questions.length === 0) return null;
  const isOptional = questions.every(({ type }) => type === 'groups');
  return (
    <QuestionList
      title={t('questions', { count: questions.length })}
      help={t(isOptional ? 'questionsHelpOptional' : 'questionsHelp')}
    >
      {questions.map((question) => (
        <OpenQuestion key={keyOf(question)} question={question} {...parts} />
      ))}
    </QuestionList>
  );
}

function OpenQuestion({
  question,
  ...parts
}: Omit<QuestionsProps, 'questions'> & { question: ListQuestion }) {
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
