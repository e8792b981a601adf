import { type ImportStatus, isFailure } from '@gatehouse/member-lists';
import { Anchor, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { ErrorNote } from '../../../components/feedback/error-note.tsx';
import { focusIfLost } from '../../../hooks/focus.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useSite } from '../../../session/site.ts';
import type { Source } from './failed-rows-file.ts';
import { type FailedResult, Failures } from './failures.tsx';
import type { ImportState } from './use-import.ts';

interface ImportProgressProps {
  state: ImportState;
  source: Source;
  stop: () => void;
  goOn: () => void;
  /** Returns to the input, if the import did not finish. */
  back: () => void;
  addMore: () => void;
}

/** The progress of an import, and its results. */
export function ImportProgress({ state, source, ...actions }: ImportProgressProps) {
  const t = useTexts('add');
  const { total, results, error } = state;
  const failed = results.flatMap(({ draft, outcome }): FailedResult[] =>
    isFailure(outcome) ? [{ draft, reason: outcome.reason }] : [],
  );
  const count = (status: ImportStatus) => results.filter(({ outcome }) => outcome.status === status).length;
  const [unchanged, joined] = [count('unchanged'), count('groupsChanged')];
  return (
    <Stack>
      <Progress value={(results.length / total) * 100} aria-label={t('progress')} transitionDuration={150} />
      <Text role="status">
        {t('done', { done: results.length, total })} {t('created', { count: count('created') })}{' '}
        {joined > 0 && t('joined', { count: joined })} {unchanged > 0 && t('unchanged', { count: unchanged })}
      </Text>
      {error !== null && <ErrorNote error={error} />}
      {failed.length > 0 && <Failures failed={failed} source={source} />}
      <Actions state={state} {...actions} />
    </Stack>
  );
}

function Actions({
  state: { running, isOver },
  stop,
  goOn,
  back,
  addMore,
}: Omit<ImportProgressProps, 'source'>) {
  const t = useTexts('add');
  const { slug } = useSite();
  const buttons = useRef<HTMLDivElement>(null);
  // These buttons replace each other.
  useEffect(() => focusIfLost(buttons.current?.querySelector('button')), [running, isOver]);
  if (running) {
    return (
      <Group gap="xs" ref={buttons}>
        <Button variant="default" onClick={stop}>
          {t('stop')}
        </Button>
      </Group>
    );
  }
  return (
    <Group gap="xs" ref={buttons}>
      {!isOver && <Button onClick={goOn}>{t('continue')}</Button>}
      <Button variant="default" onClick={isOver ? addMore : back}>
        {t(isOver ? 'addMore' : 'backToPreview')}
      </Button>
      <Anchor renderRoot={(props) => <Link to="/$site/members" params={{ site: slug }} {...props} />}>
        {t('seeMembers')}
      </Anchor>
    </Group>
  );
}
