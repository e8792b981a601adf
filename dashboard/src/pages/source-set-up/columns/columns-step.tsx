import type { CollectionColumns, CollectionPreview, Source } from '@gatehouse/client';
import { isList } from '@gatehouse/contract/source-types';
import { Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorNote } from '../../../components/feedback/error-note.tsx';
import { QuietButton } from '../../../components/layout/action-button.tsx';
import { RowsSkeleton } from '../../../components/layout/skeletons.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { usePreview, useWorkspaceCollections } from '../../../queries/workspace.ts';
import { StepButtons } from '../step-buttons.tsx';
import type { SetUp } from '../use-set-up.ts';
import { ColumnFields } from './column-fields.tsx';
import { PreviewTable } from './preview-table.tsx';
import { QuestionsNote } from './questions-note.tsx';

interface ColumnsStepProps {
  source: Source;
  setUp: SetUp;
}

/** What the columns of each chosen collection mean, one collection after the other. */
export function ColumnsStep({ source, setUp }: ColumnsStepProps) {
  const t = useTexts('sources');
  const { chosen, columns } = setUp.draft;
  const [at, setAt] = useState(0);
  const key = chosen[at]!;
  const { data: preview, error, refetch, isFetching } = usePreview(source.id, key);
  const saving = useMutation({ mutationFn: setUp.saveCollections });
  const isLast = at === chosen.length - 1;
  const current = columns[key] ?? preview?.guess ?? { email: '' };
  const next = () => {
    const draft = { ...setUp.draft, columns: { ...columns, [key]: current } };
    setUp.change(draft);
    if (isLast) saving.mutate(draft);
    else setAt(at + 1);
  };
  return (
    <Stack>
      {!isList(source.type) && <CollectionName source={source} collectionKey={key} setUp={setUp} at={at} />}
      {error && <ErrorNote error={error} retry={() => refetch()} />}
      {isFetching && !preview && <RowsSkeleton rows={4} />}
      {preview && (
        <Collection
          key={key}
          preview={preview}
          isList={isList(source.type)}
          columns={current}
          change={(changed) => setUp.change({ columns: { ...columns, [key]: changed } })}
        />
      )}
      {saving.error && <ErrorNote error={saving.error} />}
      {preview && !isKnown(preview, current.email) && (
        <Text c="var(--mantine-color-error)">{t('emailMissing')}</Text>
      )}
      <StepButtons
        back={backOf(setUp, at, setAt)}
        next={isLast && setUp.isEdit ? t('saveColumns') : t('next')}
        go={next}
        pending={saving.isPending}
        disabled={!preview || !isKnown(preview, current.email)}
      />
    </Stack>
  );
}

function backOf(setUp: SetUp, at: number, setAt: (at: number) => void): (() => void) | undefined {
  if (at > 0) return () => setAt(at - 1);
  return setUp.hasPrevious ? setUp.back : undefined;
}

function isKnown({ columns }: CollectionPreview, key: string): boolean {
  return columns.some((column) => column.key === key);
}

interface CollectionNameProps extends ColumnsStepProps {
  collectionKey: string;
  at: number;
}

function CollectionName({ source, collectionKey, setUp, at }: CollectionNameProps) {
  const t = useTexts('sources');
  const { data } = useWorkspaceCollections(source.id);
  const known = [...(data?.collections ?? []), ...source.collections];
  const name = known.find(({ key }) => key === collectionKey)?.name ?? collectionKey;
  return (
    <Text fw={600}>
      {t('collectionPosition', { name, number: at + 1, total: setUp.draft.chosen.length })}
    </Text>
  );
}

interface CollectionProps {
  preview: CollectionPreview;
  isList: boolean;
  columns: CollectionColumns;
  change: (columns: CollectionColumns) => void;
}

function Collection({ preview, isList, columns, change }: CollectionProps) {
  const t = useTexts('sources');
  return (
    <>
      <PreviewTable preview={preview} columns={columns} />
      <QuestionsNote preview={preview} />
      <ColumnFields preview={preview} isList={isList} columns={columns} change={change} />
      {preview.guess && !isEqual(preview.guess, columns) && (
        <Group>
          <QuietButton label={t('useGuess')} onClick={() => change(preview.guess!)} />
        </Group>
      )}
    </>
  );
}

/** Whether the columns are used for the same; what is left out is not used. */
function isEqual(one: CollectionColumns, other: CollectionColumns): boolean {
  const keys = [
    ...(['email', 'displayName', 'firstName', 'lastName', 'paid', 'status'] as const),
    ...(['groups', 'groupsEndAt', 'export'] as const),
  ];
  const exportColumnsOf = ({ exportColumns = [] }: CollectionColumns) => JSON.stringify(exportColumns);
  return (
    keys.every((key) => (one[key] ?? null) === (other[key] ?? null)) &&
    exportColumnsOf(one) === exportColumnsOf(other)
  );
}
