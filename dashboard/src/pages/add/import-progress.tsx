import { Alert, Anchor, Button, Group, List, Progress, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../languages/texts.tsx';
import { saveFile, toCsv } from '../../parts/csv.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { useRefusalText } from '../../parts/refusals.ts';
import { useSite } from '../../session/site.ts';
import type { Result } from './import-people.ts';
import type { ImportState } from './use-import.ts';

const shownFailures = 10;

interface ImportProgressProps {
  state: ImportState;
  stop: () => void;
  goOn: () => void;
  /** Back to what was typed or dropped, where the import did not come to its end. */
  back: () => void;
  addMore: () => void;
}

/** How far an import is, and what became of everybody. */
export function ImportProgress({ state, stop, goOn, back, addMore }: ImportProgressProps) {
  const t = useTexts('add');
  const { slug } = useSite();
  const { import: whole, results, running, isOver, error } = state;
  const total = whole.lots.reduce((sum, { people }) => sum + people.length, 0);
  const failed = results.filter(({ status }) => status === 'error');
  const conflicts = results.filter(({ status }) => status === 'conflict').length;
  return (
    <Stack>
      <Progress value={(results.length / total) * 100} aria-label={t('progress')} transitionDuration={150} />
      <Text role="status">
        {t('soFar', { done: results.length, total })}{' '}
        {t('created', { count: results.length - failed.length - conflicts })}{' '}
        {conflicts > 0 && t('conflicts', { count: conflicts })}{' '}
        {whole.leftOut > 0 && t('leftOut', { count: whole.leftOut })}
      </Text>
      {error !== null && <ErrorNote error={error} />}
      {failed.length > 0 && <Failures failed={failed} />}
      <Group gap="xs">
        {running && (
          <Button variant="default" onClick={stop}>
            {t('stop')}
          </Button>
        )}
        {!running && !isOver && (
          <>
            <Button onClick={goOn}>{t('goOn')}</Button>
            <Button variant="default" onClick={back}>
              {t('backToPreview')}
            </Button>
          </>
        )}
        {isOver && !running && (
          <Button variant="default" onClick={addMore}>
            {t('addMore')}
          </Button>
        )}
        {!running && (
          <Anchor renderRoot={(props) => <Link to="/$site/members" params={{ site: slug }} {...props} />}>
            {t('seeMembers')}
          </Anchor>
        )}
      </Group>
    </Stack>
  );
}

/** Those who could not be added, and a file of them that can be mended and dropped in again. */
function Failures({ failed }: { failed: readonly Result[] }) {
  const refusalText = useRefusalText();
  const t = useTexts('add');
  const { slug } = useSite();
  const save = () => {
    const rows = failed.map(({ person, reason }) => [
      person.email,
      person.displayName ?? '',
      String(person.paid),
      reason ? refusalText(reason) : '',
    ]);
    saveFile(toCsv(['email', 'displayName', 'paid', 'error'], rows), `${slug}-failed.csv`);
  };
  return (
    <Alert color="red" variant="light" title={t('failed', { count: failed.length })}>
      <List size="sm" mb="sm">
        {failed.slice(0, shownFailures).map(({ person, reason }) => (
          <List.Item key={`${person.line} ${person.email}`} style={{ overflowWrap: 'anywhere' }}>
            {t('failedRow', {
              line: person.line,
              email: person.email,
              reason: reason ? refusalText(reason) : '',
            })}
          </List.Item>
        ))}
      </List>
      <Button size="xs" variant="default" leftSection={<IconDownload size={14} aria-hidden />} onClick={save}>
        {t('saveFailed')}
      </Button>
    </Alert>
  );
}
