import { Badge, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import { useUnsavedWarning } from '../../parts/unsaved.ts';
import classes from './add.module.css';
import { GroupChoice } from './group-choice.tsx';
import { ImportProgress } from './import-progress.tsx';
import { useKnownPeople } from './known-people.ts';
import { type Outlook, outlooks, type Person } from './people.ts';
import { useImport } from './use-import.ts';

const shownRows = 100;
const colours: Readonly<Record<Outlook, string>> = {
  new: 'teal',
  exists: 'gray',
  twice: 'gray',
  invalid: 'red',
};
const order: readonly Outlook[] = ['new', 'exists', 'twice', 'invalid'];
const nobody: ReadonlySet<string> = new Set();

interface PreviewProps {
  people: readonly Person[];
  /** Called when the import is put aside. */
  done: () => void;
}

/** What will become of each, before anything happens; then the import itself. */
export function Preview({ people, done }: PreviewProps) {
  const t = useTexts('add');
  const known = useKnownPeople(people);
  const [groupIds, setGroupIds] = useState<string[]>([]);
  const adding = useImport();
  useUnsavedWarning(adding.state === null || adding.state.running);
  const each = useMemo(() => outlooks(people, known ?? nobody), [people, known]);
  const counts = Map.groupBy(each, (outlook) => outlook);
  const count = counts.get('new')?.length ?? 0;

  if (adding.state) {
    return <ImportProgress state={adding.state} stop={adding.stop} goOn={adding.goOn} done={done} />;
  }
  return (
    <Stack>
      <Group gap="xs" role="status">
        {order.map((outlook) => {
          const some = counts.get(outlook)?.length ?? 0;
          return (
            some > 0 && (
              <Badge key={outlook} variant="light" color={colours[outlook]} size="lg">
                {t(`count.${outlook}`, { count: some })}
              </Badge>
            )
          );
        })}
        {!known && each.includes('new') && (
          <Group gap={6}>
            <Loader size="xs" aria-hidden />
            <Text size="sm" c="dimmed">
              {t('lookingUp')}
            </Text>
          </Group>
        )}
      </Group>
      <Rows people={people} each={each} />
      <GroupChoice groupIds={groupIds} choose={setGroupIds} />
      <Text size="sm" c="dimmed">
        {t('existingText')}
      </Text>
      <Group>
        {/* All are sent: the service has the last word, and says it of each. */}
        <Button onClick={() => adding.start(people, groupIds)} disabled={count === 0}>
          {t('addThem', { count })}
        </Button>
      </Group>
    </Stack>
  );
}

function Rows({ people, each }: { people: readonly Person[]; each: readonly Outlook[] }) {
  const t = useTexts('add');
  return (
    <section className={classes.scroll} aria-label={t('preview')}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th>{t('line')}</th>
            <th>{t('field.email')}</th>
            <th>{t('field.name')}</th>
            <th>{t('outlook')}</th>
          </tr>
        </thead>
        <tbody>
          {people.slice(0, shownRows).map(({ line, email, displayName }, index) => (
            <tr key={line}>
              <td>{line}</td>
              <td>{email}</td>
              <td>{displayName}</td>
              <td>
                <Badge variant="light" color={colours[each[index]!]}>
                  {t(`outlook.${each[index]!}`)}
                </Badge>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {people.length > shownRows && (
        <Text size="sm" c="dimmed" p="xs">
          {t('moreRows', { count: people.length - shownRows })}
        </Text>
      )}
    </section>
  );
}
