import { Answer, Answers, Question } from '../../../components/forms/question.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { examplesOf, useColumnName } from '../file/column-values.ts';
import type { QuestionProps } from './question-props.ts';

/** Which of several columns has the values of a field. */
export function ColumnQuestion({
  question: { field, columns },
  list,
  answers,
  answer,
}: QuestionProps<'column'>) {
  const t = useTexts('add');
  const nameOf = useColumnName(list);
  const choose = (column: number | null) =>
    answer({ ...answers, columns: { ...answers.columns, [field]: column } });
  return (
    <Question title={t('question.column', { field: t(`field.${field}`) })}>
      <Answers>
        {columns.map((column) => (
          <Answer key={column} choose={() => choose(column)} example={examplesOf(list, column).join(' · ')}>
            {nameOf(column)}
          </Answer>
        ))}
        {field !== 'email' && <Answer choose={() => choose(null)}>{t('noneOfThem')}</Answer>}
      </Answers>
    </Question>
  );
}
