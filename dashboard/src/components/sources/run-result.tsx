import type { CollectionResult, SourceRun } from '@gatehouse/client';
import { List, Loader, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import { Notice } from '../feedback/notice.tsx';
import { Fact, Facts } from '../tables/facts.tsx';

/** What a run has done so far, or would do, with each collection. */
export function RunResult({ run }: { run: SourceRun }) {
  const t = useTexts('sources');
  return (
    <Stack gap="md">
      {run.endedAt === null && (
        <Text role="status">
          <Loader size="xs" mr="xs" aria-hidden />
          {t(run.dryRun ? 'checking' : 'synchronizing')}
        </Text>
      )}
      {run.error && <Problem>{run.error.message}</Problem>}
      {run.collections.map((collection) => (
        <CollectionPart key={collection.key} collection={collection} dryRun={run.dryRun} />
      ))}
    </Stack>
  );
}

interface CollectionPartProps {
  collection: CollectionResult;
  dryRun: boolean;
}

function CollectionPart({ collection, dryRun }: CollectionPartProps) {
  const { name, error, skippedPeople } = collection;
  return (
    <section>
      <Stack gap="xs">
        <Title order={3} size="h4">
          {name}
        </Title>
        {error && <Problem>{error.message}</Problem>}
        <UnreadableNote count={collection.unreadable} />
        <Counts collection={collection} dryRun={dryRun} />
        <Samples collection={collection} dryRun={dryRun} />
        {skippedPeople.length > 0 && <Skipped collection={collection} />}
      </Stack>
    </section>
  );
}

function Problem({ children }: { children: string }) {
  return (
    <Notice state="bad" role="alert" lang="en">
      {children}
    </Notice>
  );
}

const changes = ['created', 'added', 'changed', 'removed', 'withheld', 'blocked', 'skipped'] as const;

/** Says that no one leaves while addresses cannot be read, and what to do. */
export function UnreadableNote({ count }: { count: number }) {
  const t = useTexts('sources');
  if (count === 0) return null;
  return (
    <Notice state="attention">
      <Text fw={600}>{t('unreadableTitle', { count })}</Text>
      <Text mt={4}>{t('unreadableText')}</Text>
    </Notice>
  );
}

/** The people in the collection, and how many of them are changed in each way. */
function Counts({ collection, dryRun }: CollectionPartProps) {
  const t = useTexts('sources');
  const name = (count: 'read' | (typeof changes)[number]) => {
    const planned = `planned.${count}`;
    return dryRun && t.has(planned) ? t(planned) : t(`count.${count}`);
  };
  const shown = changes.filter((count) => collection[count] > 0);
  return (
    <>
      <Facts>
        <Fact name={name('read')}>{t('number', { number: collection.read })}</Fact>
        {shown.map((count) => (
          <Fact key={count} name={name(count)}>
            {t('number', { number: collection[count] })}
          </Fact>
        ))}
      </Facts>
      {shown.length === 0 && !collection.error && <Text c="dimmed">{t('noChanges')}</Text>}
    </>
  );
}

/** Some of those who are added or removed, by email address. */
function Samples({ collection: { sample } }: CollectionPartProps) {
  const t = useTexts('sources');
  return (
    <>
      {sample.added.length > 0 && (
        <Listed title={t('sampleAdded', { count: sample.added.length })}>{sample.added}</Listed>
      )}
      {sample.removed.length > 0 && (
        <Listed title={t('sampleRemoved', { count: sample.removed.length })}>{sample.removed}</Listed>
      )}
    </>
  );
}

function Skipped({ collection: { read, skipped, skippedPeople } }: { collection: CollectionResult }) {
  const t = useTexts('sources');
  const reasonOf = (reason: string) => {
    const name = `skipped.${reason}`;
    return t.has(name) ? t(name) : reason;
  };
  return (
    <Listed title={t('skippedPeople', { count: skipped })} isOpen={read === 0}>
      {skippedPeople.map(({ place, value, reason }) =>
        [place, value, reasonOf(reason)].filter((part) => part !== '').join(' · '),
      )}
    </Listed>
  );
}

interface ListedProps {
  title: ReactNode;
  isOpen?: boolean;
  children: readonly string[];
}

/** A list that is opened by its title. */
export function Listed({ title, isOpen, children }: ListedProps) {
  return (
    <details open={isOpen}>
      <Text component="summary" size="sm">
        {title}
      </Text>
      <List size="sm" my={4}>
        {children.map((line, index) => (
          <List.Item key={index}>{line}</List.Item>
        ))}
      </List>
    </details>
  );
}
