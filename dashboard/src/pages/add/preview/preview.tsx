import type { MemberDraft } from '@gatehouse/member-lists';
import { Button, Group, Loader, Progress, Stack, Switch, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { ErrorNote } from '../../../components/feedback/error-note.tsx';
import { showFailure } from '../../../components/feedback/error-notification.tsx';
import { ActionButton } from '../../../components/layout/action-button.tsx';
import { Hint } from '../../../components/layout/hint.tsx';
import { StateText } from '../../../components/state/state-text.tsx';
import { passFocusOn } from '../../../hooks/focus.ts';
import { type Texts, useTexts } from '../../../languages/texts.tsx';
import { GroupChoice } from '../group-choice.tsx';
import { GroupNotes } from './group-notes.tsx';
import { type KnownMembers, useKnownMembers } from './known-members.ts';
import { countsOf, PreviewRows } from './preview-rows.tsx';
import { type PreviewStatus, previewRowsOf } from './preview-status.ts';
import { type GroupNames, useGroupNames } from './use-group-names.ts';

/** What the operator chose for all rows. */
export interface ImportChoices {
  /** The groups that all members are added to. */
  readonly groupIds: string[];
  /** Whether names of members who exist, and whether they are paying, follow the list. */
  readonly updates: boolean;
}

interface PreviewProps {
  drafts: readonly MemberDraft[];
  /** Whether other drafts are on their way. */
  isReading: boolean;
  choices: ImportChoices;
  choose: (choices: ImportChoices) => void;
  /** Called with the ids of the groups that the rows name. */
  start: (idsByName: ReadonlyMap<string, string>) => void;
}

/** A preview of the result of each row. */
export function Preview({ drafts, isReading, choices, choose, start }: PreviewProps) {
  const t = useTexts('add');
  const { groupIds, updates } = choices;
  const members = useKnownMembers(drafts, updates);
  const { known, lookingUp } = members;
  const names = useGroupNames(drafts);
  const rows = useMemo(
    () =>
      previewRowsOf(drafts, known, {
        groups: { ids: names.expectedIds, forAll: groupIds },
        now: new Date(),
        updates,
      }),
    [drafts, known, names.expectedIds, groupIds, updates],
  );
  const counts = useMemo(() => countsOf(rows), [rows]);
  const [preparing, setPreparing] = useState(false);
  async function prepare(): Promise<void> {
    setPreparing(true);
    await names.prepare().then(start, showFailure);
    setPreparing(false);
  }
  const canExist = ['unknown', 'updated', 'groupsChanged', 'exists', 'conflict'] as const;
  const isBusy = isReading || lookingUp;
  const isUnseen = updates && known === undefined;
  return (
    <Stack>
      <UndecidedGroups names={names} />
      <PreviewRows rows={rows} />
      <PreviewState isReading={isReading} members={members} isUnknown={counts.has('unknown')} />
      {updates && <LookingUp members={members} stop={() => choose({ groupIds, updates: false })} />}
      {canExist.some((status) => counts.has(status)) && (
        <Switch
          label={t('updates')}
          description={t('updatesHelp')}
          checked={updates}
          onChange={(event) => choose({ groupIds, updates: event.currentTarget.checked })}
        />
      )}
      <GroupChoice
        help={t('groupsHelp')}
        groupIds={groupIds}
        choose={(chosen) => choose({ groupIds: chosen, updates })}
      />
      {/* Next to the button, which a missing group disables. */}
      <GroupNotes names={names} />
      <Group gap="sm">
        {/* The service checks the other rows and reports each result. Members are updated only after a look at how. */}
        <Button
          onClick={prepare}
          loading={preparing}
          disabled={isReading || isUnseen || !names.isReady || importedRows(counts) === 0}
        >
          {buttonText(t, counts, updates)}
        </Button>
        <LeftRows counts={counts} hidden={isBusy} />
      </Group>
    </Stack>
  );
}

interface PreviewStateProps {
  isReading: boolean;
  members: KnownMembers;
  isUnknown: boolean;
}

function PreviewState({ isReading, members: { lookingUp, error }, isUnknown }: PreviewStateProps) {
  const t = useTexts('add');
  return (
    <Text component="div" size="sm" c="dimmed" role="status">
      {isReading || lookingUp ? (
        <Group gap={6}>
          <Loader size="xs" aria-hidden />
          {t(isReading ? 'readingRows' : 'lookingUp')}
        </Group>
      ) : (
        isUnknown && error === null && t('unknownText')
      )}
    </Text>
  );
}

/** Says above the rows that a decision is needed below: the rows alone look as if they could be added. */
function UndecidedGroups({ names: { missing, creating } }: { names: GroupNames }) {
  const t = useTexts('add');
  if (missing.length === 0 || creating) return null;
  return <StateText state="attention">{t('undecidedGroups', { count: missing.length })}</StateText>;
}

/** How many members have been looked up: a list can have tens of thousands. Without them, no one is updated. */
function LookingUp({ members, stop }: { members: KnownMembers; stop: () => void }) {
  const t = useTexts('add');
  const { lookingUp, total, done, error, retry } = members;
  if (!lookingUp) return error === null ? null : <ErrorNote error={error} retry={retry} />;
  return (
    <Stack gap="xs" ref={passFocusOn}>
      <Progress value={(done / total) * 100} aria-label={t('lookingUp')} transitionDuration={150} />
      <Group gap="sm">
        <Text size="sm">{t('done', { done, total })}</Text>
        <ActionButton label={t('stop')} size="xs" onClick={stop} />
      </Group>
    </Stack>
  );
}

type Counts = ReadonlyMap<PreviewStatus, number>;

/** How many rows are not imported. */
function LeftRows({ counts, hidden }: { counts: Counts; hidden: boolean }) {
  const t = useTexts('add');
  const count = sumOf(counts, 'conflict', 'otherName', 'invalidEmail', 'invalidName', 'invalid');
  if (hidden || count === 0) return null;
  return <Hint>{t('notImported', { count })}</Hint>;
}

function buttonText(t: Texts<'add'>, counts: Counts, updates: boolean): string {
  const added = sumOf(counts, 'new', 'unknown');
  const count = sumOf(counts, 'updated', 'groupsChanged');
  if (counts.has('unknown') && updates) return t('importThem', { count: added });
  if (added > 0) return count > 0 ? t('addAndUpdate', { added, count }) : t('addThem', { count: added });
  return count > 0 ? t('updateThem', { count }) : t('importThem', { count: importedRows(counts) });
}

function importedRows(counts: Counts): number {
  return sumOf(counts, 'new', 'unknown', 'updated', 'groupsChanged', 'exists', 'conflict');
}

function sumOf(counts: Counts, ...statuses: PreviewStatus[]): number {
  return statuses.reduce((sum, status) => sum + (counts.get(status) ?? 0), 0);
}
