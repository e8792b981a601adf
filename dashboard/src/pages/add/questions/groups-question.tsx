import type { SiteOfList } from '@gatehouse/member-lists';
import { Button, Checkbox, Group, Stack } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Question } from '../../../components/forms/question.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { examplesOf, groupExamplesOf, useColumnName } from '../file/column-values.ts';
import type { NamedList } from '../file/file-part.ts';
import type { QuestionProps } from './question-props.ts';

/** In other columns, such a mark could also say that someone gets a newsletter. */
const plainMark = /^[x✓✔]$/i;

/** Which columns become groups: those with names of groups, and those that are named after a group. */
export function GroupsQuestion({ question, list, reading, answers, answer, site }: QuestionProps<'groups'>) {
  const t = useTexts('add');
  const nameOf = useColumnName(list);
  const { nameColumns, markColumns } = question;
  const examplesOfNames = useGroupExamples({ question, list, answers, site });
  const [chosen, choose] = useState<ReadonlySet<number>>(
    () =>
      new Set([
        ...nameColumns.filter(
          (column) =>
            reading.export !== null || examplesOfNames(column).some((name) => site.groupNames.has(name)),
        ),
        ...markColumns.filter((column) => isPlainlyGroup(list, column, site)),
      ]),
  );
  const toggle = (column: number) => {
    const others = new Set(chosen);
    if (!others.delete(column)) others.add(column);
    choose(others);
  };
  const apply = () =>
    answer({
      ...answers,
      nameColumns: [...reading.nameColumns, ...nameColumns.filter((column) => chosen.has(column))],
      groupColumns: markColumns.filter((column) => chosen.has(column)),
    });
  const box = (column: number, label: string, examples: readonly string[]) => (
    <Checkbox
      key={column}
      label={label}
      description={examples.join(' · ')}
      checked={chosen.has(column)}
      onChange={() => toggle(column)}
    />
  );
  return (
    <Question title={t('question.groups')} help={t('question.groupsHelp')}>
      <Stack gap="xs">
        {nameColumns.map((column) =>
          box(column, t('groupsIn', { column: nameOf(column) }), examplesOfNames(column)),
        )}
        {markColumns.map((column) =>
          box(column, t('groupNamed', { column: nameOf(column) }), examplesOf(list, column)),
        )}
      </Stack>
      <Group>
        <Button size="xs" onClick={apply}>
          {chosen.size === 0 ? t('noGroupColumns') : t('useGroups', { count: chosen.size })}
        </Button>
      </Group>
    </Question>
  );
}

/** The groups that each column would name if its values became groups. */
function useGroupExamples({
  question: { nameColumns },
  list,
  answers,
  site,
}: Pick<QuestionProps<'groups'>, 'question' | 'list' | 'answers' | 'site'>): (column: number) => string[] {
  const examples = useMemo(() => {
    const { reading } = list.survey.propose({ ...answers, nameColumns }, site);
    const namesOf = (column: number) => groupExamplesOf(list, column, reading, site.groupNames);
    return new Map(nameColumns.map((column) => [column, namesOf(column)]));
  }, [nameColumns, list, answers, site]);
  return (column) => examples.get(column) ?? [];
}

function isPlainlyGroup(list: NamedList, column: number, { groupNames }: SiteOfList): boolean {
  const isName = groupNames.has(list.survey.headings[column]!);
  return isName || examplesOf(list, column).every((example) => plainMark.test(example));
}
