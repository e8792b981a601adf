import type { ListMembers } from '@gatehouse/client';
import { Radio, Select, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { chosenEnd, lastOfYear } from '../../../../format/days.ts';
import { endText } from '../../../../format/ends.ts';
import { useTexts } from '../../../../languages/texts.tsx';
import { useAccessGroups } from '../../../../queries/access-groups.ts';
import { useSite } from '../../../../session/site.ts';
import { DialogButtons } from '../../../forms/dialog-buttons.tsx';
import { LastDayInput } from '../../../last-day-input.tsx';
import { Dialog } from '../../../layout/dialog.tsx';
import { Hint } from '../../../layout/hint.tsx';
import { customGroups } from '../../../members/membership-fields.tsx';
import { type EndsQuestion, groupAtFirst } from './group-at-first.ts';
import { type EndsPlan, type NewEnd, planEnds } from './plan.ts';
import { PlanText } from './plan-text.tsx';

interface EndsDialogProps {
  /** Null while the dialog is closed. */
  question: EndsQuestion | null;
  /** That of the list. */
  filter: ListMembers;
  close: () => void;
  choose: (plan: EndsPlan) => void;
}

/** Asks for new ends of the memberships of the selected members in a group, and says what will happen. */
export function EndsDialog({ question, ...form }: EndsDialogProps) {
  const t = useTexts('ends');
  return (
    <Dialog opened={question !== null} onClose={form.close} title={t('title')}>
      {question && <Loaded question={question} {...form} />}
    </Dialog>
  );
}

function Loaded({ question, ...form }: EndsDialogProps & { question: EndsQuestion }) {
  const t = useTexts('ends');
  const { data: all } = useAccessGroups();
  const custom = new Set(customGroups(all).map(({ id }) => id));
  const groups = question.groups.filter(({ id }) => custom.has(id));
  if (!all) return null;
  if (groups.length === 0) return <Hint>{t('noGroup')}</Hint>;
  return <EndsForm question={{ ...question, groups }} {...form} />;
}

type Choice = 'year' | 'endOfYear' | 'none' | 'day';

function EndsForm({ question, filter, close, choose }: EndsDialogProps & { question: EndsQuestion }) {
  const t = useTexts('ends');
  const common = useTexts('common');
  const { groups, count } = question;
  const [chosenId, setChosenId] = useState(() => groupAtFirst(question, filter));
  const group = groups.find(({ id }) => id === chosenId);
  const hasEnds = group?.ends.some(({ expiresAt }) => expiresAt !== null) ?? true;
  const [choice, setChoice] = useState<Choice>(hasEnds ? 'year' : 'endOfYear');
  const [day, setDay] = useState('');
  const { timeZone } = useSite();
  const newEnd = endOf(choice, day, timeZone);
  const plan = group && newEnd && planEnds(group, newEnd, timeZone);

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (plan && plan.changed > 0) choose(plan);
  }

  return (
    <form onSubmit={submit}>
      <Stack>
        <Select
          label={common('group')}
          placeholder={common('chooseGroup')}
          data={groups.map(({ id, name, ends }) => ({ value: id, label: `${name} (${ends.length})` }))}
          value={chosenId}
          onChange={setChosenId}
          allowDeselect={false}
          searchable={groups.length > 8}
        />
        <ChoiceFields choice={choice} setChoice={setChoice} day={day} setDay={setDay} />
        {plan && <PlanText plan={plan} group={group.name} others={count - group.ends.length} />}
        <DialogButtons
          cancel={close}
          submit={t('confirm', { count: plan?.changed ?? 0 })}
          disabled={!plan || plan.changed === 0}
        />
      </Stack>
    </form>
  );
}

interface ChoiceFieldsProps {
  choice: Choice;
  setChoice: (choice: Choice) => void;
  day: string;
  setDay: (day: string) => void;
}

function ChoiceFields({ choice, setChoice, day, setDay }: ChoiceFieldsProps) {
  const t = useTexts('ends');
  const common = useTexts('common');
  const { timeZone } = useSite();
  const yearEnd = chosenEnd(lastOfYear(timeZone), timeZone, new Date())!;
  const isOver = day !== '' && chosenEnd(day, timeZone, new Date()) === undefined;
  return (
    <Radio.Group label={t('newEnd')} value={choice} onChange={(value) => setChoice(value as Choice)}>
      <Stack gap="xs" mt="xs">
        <Radio value="year" label={t('nextYear')} description={t('nextYearHelp')} />
        <Radio value="endOfYear" label={t('thisYear')} description={endText(yearEnd, timeZone)} />
        <Radio value="none" label={t('none')} />
        <Radio value="day" label={t('otherDay')} />
        {choice === 'day' && (
          <LastDayInput
            label={common('lastDay')}
            error={isOver && common('dayOver')}
            value={day}
            onChange={(event) => setDay(event.currentTarget.value)}
            data-autofocus
          />
        )}
      </Stack>
    </Radio.Group>
  );
}

/** Undefined while no day is chosen that is still to come. */
function endOf(choice: Choice, day: string, timeZone: string): NewEnd | undefined {
  if (choice === 'year') return 'year_later';
  if (choice === 'none') return { expiresAt: null };
  const last = choice === 'endOfYear' ? lastOfYear(timeZone) : day;
  const expiresAt = last === '' ? undefined : chosenEnd(last, timeZone, new Date());
  return expiresAt === undefined ? undefined : { expiresAt };
}
