import { type ImportStatus, isFailure } from '@gatehouse/member-lists';
import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { ErrorNote } from '../../../components/feedback/error-note.tsx';
import { IconDownload } from '../../../components/icons/icons.ts';
import { ActionButton } from '../../../components/layout/action-button.tsx';
import { LinkText } from '../../../components/layout/links.tsx';
import { saveFile } from '../../../format/csv.ts';
import { focusIfLost } from '../../../hooks/focus.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { InviteNew } from '../invite/invite-new.tsx';
import { useMayInvite } from '../invite/use-may-invite.ts';
import type { Source } from './failed-rows-file.ts';
import { type FailedResult, Failures } from './failures.tsx';
import { useResultFile } from './result-file.ts';
import type { ImportState } from './use-import.ts';

interface ImportProgressProps {
  state: ImportState;
  source: Source;
  stop: () => void;
  resume: () => void;
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
  return (
    <Stack>
      <Progress value={(results.length / total) * 100} aria-label={t('progress')} transitionDuration={150} />
      <Text role="status">{[t('done', { done: results.length, total }), ...useCounts(state)].join(' ')}</Text>
      {error !== null && <ErrorNote error={error} />}
      {failed.length > 0 && <Failures failed={failed} source={source} />}
      <Actions state={state} source={source} {...actions} />
    </Stack>
  );
}

/** A sentence for each outcome. */
function useCounts({ results }: ImportState): string[] {
  const t = useTexts('add');
  const count = (status: ImportStatus) => results.filter(({ outcome }) => outcome.status === status).length;
  const others = (
    [
      ['updatedMembers', count('updated')],
      ['joined', count('groupsChanged')],
      ['unchanged', count('unchanged')],
      ['mergedRows', count('merged')],
      ['leftOutRows', count('leftOut')],
    ] as const
  ).filter(([, number]) => number > 0);
  return [
    t('created', { count: count('created') }),
    ...others.map(([name, number]) => t(name, { count: number })),
  ];
}

function Actions({ state, source, stop, resume, back, addMore }: ImportProgressProps) {
  const t = useTexts('add');
  const { running, isOver, results } = state;
  const resultFile = useResultFile();
  const mayInvite = useMayInvite();
  const buttons = useRef<HTMLDivElement>(null);
  // These buttons replace each other.
  useEffect(() => focusIfLost(buttons.current?.querySelector('button')), [running, isOver]);
  if (running) {
    return (
      <Group gap="xs" ref={buttons}>
        <ActionButton label={t('stop')} onClick={stop} />
      </Group>
    );
  }
  return (
    <Group gap="xs" ref={buttons}>
      {!isOver && <Button onClick={resume}>{t('continue')}</Button>}
      <ActionButton label={t(isOver ? 'addMore' : 'backToPreview')} onClick={isOver ? addMore : back} />
      {results.length > 0 && (
        <ActionButton
          icon={IconDownload}
          label={t('saveResult')}
          onClick={() => saveFile(resultFile(state), `${source.name}-result.csv`)}
        />
      )}
      <MembersLink state={state} />
      {isOver && mayInvite && <InviteNew results={results} />}
    </Group>
  );
}

/** The members' list, with the members who are new if there are any. */
function MembersLink({ state: { results, requestId } }: { state: ImportState }) {
  const t = useTexts('add');
  const count = results.filter(({ outcome }) => outcome.status === 'created').length;
  const search = count > 0 ? { createdByRequest: requestId } : {};
  return (
    <LinkText from="/$site" to="/$site/members" search={search}>
      {count > 0 ? t('seeNew', { count }) : t('seeMembers')}
    </LinkText>
  );
}
