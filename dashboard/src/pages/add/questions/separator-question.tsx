import { splitGroupNames } from '@gatehouse/member-lists';
import { Answer, Answers, Question } from '../../../components/forms/question.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { shortened } from '../file/column-values.ts';
import { useSeparatorName } from '../reading/separator-name.ts';
import type { QuestionProps } from './question-props.ts';

const shownNames = 4;

/** What separates the groups in a cell, if anything does. */
export function SeparatorQuestion({ question, answers, answer }: QuestionProps<'groupSeparator'>) {
  const t = useTexts('add');
  const nameOf = useSeparatorName();
  const { examples, separators } = question;
  const [example = ''] = examples;
  const each = separators.includes('') ? separators : [...separators, ''];
  const quoted = (names: readonly string[]) =>
    names
      .slice(0, shownNames)
      .map((name) => t('quoted', { name: shortened(name) }))
      .join(' · ');
  return (
    <Question title={t('question.groupSeparator', { example: shortened(example) })}>
      <Answers>
        {each.map((groupSeparator) => (
          <Answer
            key={groupSeparator}
            choose={() => answer({ ...answers, groupSeparator })}
            example={quoted(groupSeparator === '' ? [example] : splitGroupNames(example, groupSeparator))}
          >
            {nameOf(groupSeparator)}
          </Answer>
        ))}
      </Answers>
    </Question>
  );
}
