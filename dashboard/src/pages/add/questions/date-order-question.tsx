import { type DateOrder, dateOrders } from '@gatehouse/member-lists';
import { Answer, Answers, Question } from '../../../components/forms/question.tsx';
import { locale } from '../../../languages/language.ts';
import { useTexts } from '../../../languages/texts.tsx';
import type { QuestionProps } from './question-props.ts';

const days = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
const numbersOfDate = /^\D*(\d{1,2})\D+(\d{1,2})\D+(\d{2,4})/;

/** Whether the day or the month comes first in dates. */
export function DateOrderQuestion({ question, answers, answer }: QuestionProps<'dateOrder'>) {
  const t = useTexts('add');
  const { examples } = question;
  return (
    <Question title={t('question.dateOrder', { examples: examples.slice(0, 3).join(', ') })}>
      <Answers>
        {dateOrders.map((dateOrder) => (
          <Answer
            key={dateOrder}
            choose={() => answer({ ...answers, dateOrder })}
            example={readings(examples, dateOrder).join(' · ')}
          >
            {t(`dateOrder.${dateOrder}`)}
          </Answer>
        ))}
      </Answers>
    </Question>
  );
}

/** What the examples mean in this order. */
function readings(examples: readonly string[], order: DateOrder): string[] {
  return examples.slice(0, 2).flatMap((example) => {
    const [one, other, year] = numbersOfDate.exec(example)?.slice(1).map(Number) ?? [];
    if (one === undefined || other === undefined || year === undefined) return [];
    const [day, month] = order === 'dayFirst' ? [one, other] : [other, one];
    return [`${example} = ${days.format(Date.UTC(year < 100 ? 2000 + year : year, month - 1, day))}`];
  });
}
