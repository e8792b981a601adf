import { Group, Select, TextInput } from '@mantine/core';
import { eventTypes } from '../../components/events/event-icons.ts';
import { eventTypeText } from '../../components/events/event-type-text.ts';
import { useDayZoneNote } from '../../components/last-day-input.tsx';
import { QuietButton } from '../../components/layout/action-button.tsx';
import { Hint } from '../../components/layout/hint.tsx';
import { Toolbar } from '../../components/layout/toolbar.tsx';
import { MemberPicker } from '../../components/members/member-picker.tsx';
import { FilterPill } from '../../components/tables/filter-pill.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useGroupById, useKeyById, useMemberById, useOperatorById } from '../../queries/by-id.ts';
import { useMay } from '../../session/site.ts';
import type { ActorType, EventsSearch } from './events-search.ts';

interface FiltersProps {
  search: EventsSearch;
  change: (changes: Partial<EventsSearch>) => void;
}

const actorTypes: readonly ActorType[] = ['operator', 'key', 'member', 'source', 'system'];

/** The filters of the events. */
export function EventFilters({ search, change }: FiltersProps) {
  const t = useTexts('events');
  const mayPick = useMay('members:read');
  const member = useMemberById(search.memberId);
  const zone = useDayZoneNote();
  return (
    <search aria-label={t('filters')}>
      <Toolbar>
        <Select
          size="xs"
          aria-label={t('what')}
          placeholder={t('anyType')}
          value={search.type ?? null}
          onChange={(type) => change({ type: type ?? undefined })}
          data={eventTypes.map((type) => ({ value: type, label: eventTypeText(t, type) }))}
          searchable
          clearable
          nothingFoundMessage={t('noMatch')}
        />
        <Select
          size="xs"
          aria-label={t('who')}
          placeholder={t('anyActor')}
          value={search.actorType ?? null}
          onChange={(actorType) => change({ actorType: actorType ?? undefined })}
          data={actorTypes.map((type) => ({ value: type, label: t(`actor.${type}`) }))}
          clearable
        />
        {mayPick && (
          <MemberPicker
            size="xs"
            aria-label={t('about')}
            placeholder={t('anyMember')}
            nothingFound={t('noMemberFound')}
            member={member ?? null}
            choose={(chosen) => change({ memberId: chosen?.id })}
          />
        )}
        <Day name="since" search={search} change={change} />
        <Day name="until" search={search} change={change} />
        {zone && <Hint size="xs">{zone}</Hint>}
      </Toolbar>
    </search>
  );
}

function Day({ name, search, change }: FiltersProps & { name: 'since' | 'until' }) {
  const t = useTexts('events');
  return (
    <TextInput
      type="date"
      aria-label={t(name)}
      leftSection={<Hint size="xs">{t(name)}</Hint>}
      leftSectionWidth={56}
      size="xs"
      flex="1 1 9.5rem"
      maw="11rem"
      value={search[name] ?? ''}
      error={name === 'until' && isBackwards(search) && t('untilBeforeSince')}
      onChange={(event) => change({ [name]: event.currentTarget.value || undefined })}
      {...(name === 'since' ? { max: search.until } : { min: search.since })}
    />
  );
}

function isBackwards({ since, until }: EventsSearch): boolean {
  return since !== undefined && until !== undefined && until < since;
}

interface FilterPillsProps extends FiltersProps {
  /** The name of the actor in the matching events. */
  actorName: string | null | undefined;
  clear: () => void;
}

/** The filters that other pages set, and a button to clear all of them. */
export function FilterPills({ search, change, actorName, clear }: FilterPillsProps) {
  const t = useTexts('events');
  if (Object.keys(search).length === 0) return null;
  return (
    <Group gap="xs">
      {search.groupId && <GroupPill id={search.groupId} remove={() => change({ groupId: undefined })} />}
      {search.actorId && (
        <ActorPill id={search.actorId} name={actorName} remove={() => change({ actorId: undefined })} />
      )}
      <QuietButton label={t('clearFilters')} onClick={clear} />
    </Group>
  );
}

interface ActorPillProps {
  id: string;
  name: string | null | undefined;
  remove: () => void;
}

/** An actor without matching events is shown by the current name. */
function ActorPill({ id, name, remove }: ActorPillProps) {
  const t = useTexts('events');
  const key = useKeyById(id);
  const operator = useOperatorById(id);
  const known = name ?? key?.name ?? operator?.displayName ?? operator?.email;
  return <FilterPill text={t('byActor', { name: known ?? id.slice(-4) })} remove={remove} />;
}

function GroupPill({ id, remove }: { id: string; remove: () => void }) {
  const t = useTexts('events');
  const group = useGroupById(id);
  const name = group === null ? t('deletedGroup') : (group?.name ?? '…');
  return <FilterPill text={t('ofGroup', { name })} remove={remove} />;
}
