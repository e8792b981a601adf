import type { SiteOfList } from '@gatehouse/member-lists';
import { Button, Checkbox, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../../languages/texts.tsx';
import { useColumnName } from '../file/column-name.ts';
import { examplesOf } from '../file/column-values.ts';
import type { NamedList } from '../file/drop-file.tsx';
import { QuestionFrame, type QuestionProps } from './questions.tsx';

/** In other columns, such a mark could also say that somebody gets a newsletter. */
const plainMark = /^[x✓✔]$/i;

/** Which columns become groups: those with names of groups, and those that are named after a group. */
export function GroupsQuestion({ question, list, reading, answers, answer, site }: QuestionProps<'groups'>) {
  const t = useTexts('add');
  const nameOf = useColumnName(list);
  const { nameColumns, markColumns } = question;
  const [chosen, choose] = useState<ReadonlySet<number>>(
    () =>
      new Set([
        ...nameColumns.filter((column) => reading.export !== null || hasGroupNames(list, column, site)),
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
  const box = (column: number, label: string) => (
    <Checkbox
      key={column}
      label={label}
      description={examplesOf(list, column).join(' · ')}
      checked={chosen.has(column)}
      onChange={() => toggle(column)}
      styles={{ body: { overflowWrap: 'anywhere' } }}
    />
  );
  return (
    <QuestionFrame title={t('question.groups')} help={t('question.groupsHelp')}>
      <Stack gap="xs">
        {nameColumns.map((column) => box(column, t('groupsIn', { column: nameOf(column) })))}
        {markColumns.map((column) => box(column, t('groupNamed', { column: nameOf(column) })))}
      </Stack>
      <Group>
        <Button size="xs" onClick={apply}>
          {chosen.size === 0 ? t('noGroupColumns') : t('useGroups', { count: chosen.size })}
        </Button>
      </Group>
    </QuestionFrame>
  );
}

function hasGroupNames(list: NamedList, column: number, { groupNames }: SiteOfList): boolean {
  return examplesOf(list, column).some((example) => groupNames.has(example));
}

function isPlainlyGroup(list: NamedList, column: number, { groupNames }: SiteOfList): boolean {
  const isName = groupNames.has(list.survey.headings[column]!);
  return isName || examplesOf(list, column).every((example) => plainMark.test(example));
}
