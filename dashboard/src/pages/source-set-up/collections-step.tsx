import type { AvailableCollections, Source } from '@gatehouse/client';
import { Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ErrorNote } from '../../components/feedback/error-note.tsx';
import { IconRefresh } from '../../components/icons/icons.ts';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { RowsSkeleton } from '../../components/layout/skeletons.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useWorkspaceCollections } from '../../queries/workspace.ts';
import { StepButtons } from './step-buttons.tsx';
import type { SetUp } from './use-set-up.ts';

type Collection = Pick<AvailableCollections['collections'][number], 'key' | 'name'>;

interface CollectionsStepProps {
  source: Source;
  setUp: SetUp;
}

/** The collections of the workspace that become groups. */
export function CollectionsStep({ source, setUp }: CollectionsStepProps) {
  const t = useTexts('sources');
  const { data, error, refetch, isFetching } = useWorkspaceCollections(source.id);
  const { chosen } = setUp.draft;
  const collections = data && withChosen(data.collections, source, chosen);
  return (
    <Stack>
      {error && <ErrorNote error={error} retry={refetch} />}
      {isFetching && !data && <RowsSkeleton rows={4} />}
      {collections && (
        <CollectionChoice
          collections={collections}
          chosen={chosen}
          choose={(keys) => setUp.change({ chosen: keys, names: namesOf(collections) })}
        />
      )}
      {collections?.length === 0 && <Text>{t('noCollections')}</Text>}
      {data?.complete === false && <Text c="dimmed">{t('moreCollections')}</Text>}
      {data && (
        <Group>
          <ActionButton
            icon={IconRefresh}
            label={t('lookAgain')}
            size="xs"
            loading={isFetching}
            onClick={() => refetch()}
          />
        </Group>
      )}
      <StepButtons
        back={setUp.hasPrevious ? setUp.back : undefined}
        next={t('next')}
        go={setUp.next}
        disabled={chosen.length === 0}
      />
    </Stack>
  );
}

/** Chosen collections stay listed, also while the workspace does not show them. */
function withChosen(
  available: readonly Collection[],
  source: Source,
  chosen: readonly string[],
): Collection[] {
  const hidden = source.collections.filter(
    ({ key }) => chosen.includes(key) && !available.some((each) => each.key === key),
  );
  return [...available, ...hidden];
}

function namesOf(collections: readonly Collection[]): Record<string, string> {
  return Object.fromEntries(collections.map(({ key, name }) => [key, name]));
}

/** Beyond this number, the collections can be searched. */
const searchedFrom = 8;

interface CollectionChoiceProps {
  collections: readonly Collection[];
  chosen: readonly string[];
  choose: (keys: string[]) => void;
}

function CollectionChoice({ collections, chosen, choose }: CollectionChoiceProps) {
  const t = useTexts('sources');
  const [query, setQuery] = useState('');
  const wanted = query.trim().toLocaleLowerCase();
  const found = collections.filter(({ name }) => name.toLocaleLowerCase().includes(wanted));
  return (
    <>
      {collections.length > searchedFrom && (
        <TextInput
          type="search"
          aria-label={t('searchCollections')}
          placeholder={t('searchCollections')}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
      )}
      <Checkbox.Group value={[...chosen]} onChange={choose} aria-label={t('step.collections')}>
        <Stack gap="sm">
          {found.map(({ key, name }) => (
            <Checkbox key={key} value={key} label={name} />
          ))}
        </Stack>
      </Checkbox.Group>
    </>
  );
}
