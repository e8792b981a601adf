import type { CollectionColumns, CollectionPreview } from '@gatehouse/client';
import { dateOrders, foldWord, separatorChoices, statusMeanings } from '@gatehouse/member-lists';
import { MultiSelect, Select, SimpleGrid } from '@mantine/core';
import { useTexts } from '../../../languages/texts.tsx';

interface ListFieldsProps {
  preview: CollectionPreview;
  columns: CollectionColumns;
  change: (columns: CollectionColumns) => void;
}

const separatorNames: Readonly<Record<string, 'separator.line' | 'separator.none'>> = {
  '\n': 'separator.line',
  '': 'separator.none',
};
/** A select cannot have an empty value. */
const cellIsOne = 'none';

/** Which columns of a list name groups, and what is between the names. */
export function ListGroupFields({ preview, columns, change }: ListFieldsProps) {
  const t = useTexts('sources');
  const data = preview.columns.map(({ key, name }) => ({ value: key, label: name }));
  const { groupSeparator } = columns;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
      <MultiSelect
        label={t('furtherGroups')}
        description={t('furtherGroupsHelp')}
        data={data}
        value={columns.furtherGroups ?? []}
        onChange={(furtherGroups) => change({ ...columns, furtherGroups })}
        searchable
      />
      <MultiSelect
        label={t('groupColumns')}
        description={t('groupColumnsHelp')}
        data={data}
        value={columns.groupColumns ?? []}
        onChange={(groupColumns) => change({ ...columns, groupColumns })}
        searchable
      />
      <Select
        label={t('separator')}
        description={t('foundOut')}
        placeholder={t('automatic')}
        data={separatorChoices.map((separator) => {
          const name = separatorNames[separator];
          return {
            value: separator || cellIsOne,
            label: name ? t(name) : t('separator.text', { separator }),
          };
        })}
        value={typeof groupSeparator === 'string' ? groupSeparator || cellIsOne : null}
        onChange={(value) => change({ ...columns, groupSeparator: value === cellIsOne ? '' : value })}
        clearable
      />
    </SimpleGrid>
  );
}

/** Which of the first two numbers of a date is the day. */
export function DateOrderField({ columns, change }: ListFieldsProps) {
  const t = useTexts('sources');
  return (
    <Select
      label={t('dateOrder')}
      description={t('foundOut')}
      placeholder={t('automatic')}
      data={dateOrders.map((value) => ({ value, label: t(`dateOrder.${value}`) }))}
      value={columns.dateOrder ?? null}
      onChange={(dateOrder) => change({ ...columns, dateOrder })}
      clearable
    />
  );
}

type StatusWord = NonNullable<CollectionColumns['statusWords']>[number];

/** What each word in the column of states means. */
export function StatusWords({ preview, columns, change }: ListFieldsProps) {
  const t = useTexts('sources');
  const { statusWords = [] } = columns;
  const setMeaning = (word: string, meaning: StatusWord['meaning'] | null) => {
    const others = statusWords.filter((each) => foldWord(each.word) !== foldWord(word));
    change({ ...columns, statusWords: meaning ? [...others, { word, meaning }] : others });
  };
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
      {wordsIn(preview, columns).map((word) => (
        <Select
          key={word}
          label={t('statusWord', { word })}
          placeholder={t('noMeaning')}
          data={statusMeanings.map((value) => ({ value, label: t(`status.${value}`) }))}
          value={statusWords.find((each) => foldWord(each.word) === foldWord(word))?.meaning ?? null}
          onChange={(meaning) => setMeaning(word, meaning)}
          clearable
        />
      ))}
    </SimpleGrid>
  );
}

/** The words that need a meaning: those of the question, of the first rows, and those that have one. */
function wordsIn({ columns: all, rows, questions }: CollectionPreview, columns: CollectionColumns): string[] {
  const index = all.findIndex(({ key }) => key === columns.status);
  const seen = rows.map((row) => row[index] ?? '');
  const open = questions.flatMap(({ words }) => words.map(({ word }) => word));
  const known = (columns.statusWords ?? []).map(({ word }) => word);
  const words = [...known, ...seen, ...open].map((word) => [foldWord(word), word.trim()] as const);
  return [...new Map(words)].flatMap(([key, word]) =>
    ['', 'active', 'blocked'].includes(key) ? [] : [word],
  );
}
