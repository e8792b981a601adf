import type { CollectionPreview } from '@gatehouse/client';
import { List, Text } from '@mantine/core';
import { Notice } from '../../../components/feedback/notice.tsx';
import { useTexts } from '../../../languages/texts.tsx';

/** Which system wrote a list, and what the list leaves open. */
export function QuestionsNote({ preview }: { preview: CollectionPreview }) {
  const t = useTexts('sources');
  const { export: system, questions, columns } = preview;
  const nameOf = (key: string) => columns.find((column) => column.key === key)?.name ?? key;
  const quoted = (texts: readonly string[]) => texts.map((text) => t('quoted', { text })).join(', ');
  const textOf = ({ type, columns: some, markColumns, examples, words }: (typeof questions)[number]) => {
    const name = `question.${type}`;
    const about = [
      ...some.map(nameOf),
      ...markColumns.map(nameOf),
      ...examples,
      ...words.map(({ word }) => word),
    ];
    return t.has(name) ? t(name, { about: quoted(about) }) : type;
  };
  if (!system && questions.length === 0) return null;
  return (
    <>
      {system && <Text>{t('isExport', { system: system.title })}</Text>}
      {questions.length > 0 && (
        <Notice state="attention">
          <Text fw={600}>{t('questionsTitle')}</Text>
          <List size="sm" my={4}>
            {questions.map((question, index) => (
              <List.Item key={index}>{textOf(question)}</List.Item>
            ))}
          </List>
        </Notice>
      )}
    </>
  );
}
