import { Badge, Button, Chip, Group, Loader, Stack, Text } from '@mantine/core';
import { useId, useMemo, useState } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import { showFailure } from '../../parts/failure.tsx';
import classes from './add.module.css';
import { GroupChoice } from './group-choice.tsx';
import { GroupNotes } from './group-notes.tsx';
import { useKnownPeople } from './known-people.ts';
import { type Outlook, outlooks, type Person } from './people.ts';
import { useReasonText } from './reason-text.ts';
import { useGroupNames } from './use-group-names.ts';

const shownRows = 100;
const colours: Readonly<Record<Outlook, string>> = {
  new: 'teal',
  open: 'teal',
  exists: 'gray',
  twice: 'gray',
  invalid: 'red',
  nameless: 'red',
  wrong: 'red',
};
const order: readonly Outlook[] = ['new', 'open', 'exists', 'twice', 'invalid', 'nameless', 'wrong'];

interface PreviewProps {
  people: readonly Person[];
  groupIds: string[];
  chooseGroups: (groupIds: string[]) => void;
  /** With what gives the ids of the groups that somebody names. */
  start: (groupIdsOf: (person: Person) => readonly string[]) => void;
}

/** What will become of each, before anything happens. */
export function Preview({ people, groupIds, chooseGroups, start }: PreviewProps) {
  const t = useTexts('add');
  const { known, lookingUp } = useKnownPeople(people);
  const each = useMemo(() => outlooks(people, known), [people, known]);
  const counts = useMemo(() => countsOf(each), [each]);
  const count = (counts.get('new') ?? 0) + (counts.get('open') ?? 0);
  const members = (counts.get('exists') ?? 0) + (counts.get('twice') ?? 0);
  const names = useGroupNames(people);
  const [preparing, setPreparing] = useState(false);
  async function prepare(): Promise<void> {
    setPreparing(true);
    await names.prepare().then(start, showFailure);
    setPreparing(false);
  }
  return (
    <Stack>
      <Rows people={people} each={each} counts={counts} />
      <Text component="div" size="sm" c="dimmed" role="status">
        {lookingUp ? (
          <Group gap={6}>
            <Loader size="xs" aria-hidden />
            {t('lookingUp')}
          </Group>
        ) : (
          counts.has('open') && t('openText')
        )}
      </Text>
      <GroupNotes names={names} />
      <GroupChoice groupIds={groupIds} choose={chooseGroups} />
      <Text size="sm" c="dimmed">
        {t('existingText')}
      </Text>
      <Group>
        {/* Of the others the service has the last word, and says it of each. */}
        <Button onClick={prepare} loading={preparing} disabled={count + members === 0 || !names.isReady}>
          {count > 0 || members === 0 ? t('addThem', { count }) : t('importThem', { count: members })}
        </Button>
      </Group>
    </Stack>
  );
}

interface RowsProps {
  people: readonly Person[];
  each: readonly Outlook[];
  counts: ReadonlyMap<Outlook, number>;
}

/** The first rows, of all or of one kind. */
function Rows({ people, each, counts }: RowsProps) {
  const t = useTexts('add');
  const name = useId();
  const reasonText = useReasonText();
  const hasGroups = people.some(({ groups }) => groups);
  const hasStatus = people.some(({ status }) => status);
  const [chosen, choose] = useState<Outlook | 'all'>('all');
  // The kind may be gone with what was changed.
  const kind = chosen !== 'all' && counts.has(chosen) ? chosen : 'all';
  const rows = useMemo(
    () =>
      people
        .map((person, index) => ({ ...person, index, outlook: each[index]! }))
        .filter(({ outlook }) => kind === 'all' || outlook === kind),
    [people, each, kind],
  );
  return (
    <>
      <Chip.Group value={kind} onChange={(value) => choose(value as Outlook | 'all')}>
        <Group gap="xs" role="radiogroup" aria-label={t('preview')}>
          <Chip name={name} value="all" variant="light">
            {t('count.all', { count: people.length })}
          </Chip>
          {order.map((outlook) => {
            const count = counts.get(outlook);
            return (
              count !== undefined && (
                <Chip key={outlook} name={name} value={outlook} variant="light" color={colours[outlook]}>
                  {t(`count.${outlook}`, { count })}
                </Chip>
              )
            );
          })}
        </Group>
      </Chip.Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached with the keyboard (axe, scrollable-region-focusable). */}
      <section className={classes.scroll} aria-label={t('preview')} tabIndex={0}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th>{t('line')}</th>
              <th>{t('outlook')}</th>
              <th>{t('field.email')}</th>
              <th>{t('field.name')}</th>
              <th>{t('field.paid')}</th>
              {hasStatus && <th>{t('field.status')}</th>}
              {hasGroups && <th>{t('field.groups')}</th>}
            </tr>
          </thead>
          <tbody>
            {rows
              .slice(0, shownRows)
              .map(({ line, index, email, displayName, paid, status, groups, problem, outlook }) => (
                <tr key={index}>
                  <td>{line}</td>
                  <td>
                    <Badge variant="light" color={colours[outlook]} miw="max-content">
                      {t(`outlook.${outlook}`)}
                    </Badge>
                  </td>
                  <td>
                    {email}
                    {problem && (
                      <Text size="xs" c="var(--mantine-color-error)" className={classes.problem!}>
                        {reasonText(problem)}
                      </Text>
                    )}
                  </td>
                  <td>{displayName}</td>
                  <td>{paid === undefined ? '' : t(paid ? 'yes' : 'no')}</td>
                  {hasStatus && <td>{status && t(`status.${status}`)}</td>}
                  {hasGroups && <td>{groups?.join(', ')}</td>}
                </tr>
              ))}
          </tbody>
        </table>
        {rows.length > shownRows && (
          <Text size="sm" c="dimmed" p="xs">
            {t('moreRows', { count: rows.length - shownRows })}
          </Text>
        )}
      </section>
    </>
  );
}

function countsOf(each: readonly Outlook[]): ReadonlyMap<Outlook, number> {
  const counts = new Map<Outlook, number>();
  for (const outlook of each) counts.set(outlook, (counts.get(outlook) ?? 0) + 1);
  return counts;
}
