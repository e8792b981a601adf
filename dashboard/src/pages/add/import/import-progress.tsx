import { Alert, Anchor, Button, Group, List, Progress, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../../languages/texts.tsx';
import { saveFile } from '../../../parts/csv.ts';
import { ErrorNote } from '../../../parts/error-note.tsx';
import { useSite } from '../../../session/site.ts';
import { useReasonText } from '../reason-text.ts';
import { failedFile, type Source } from './failed-rows.ts';
import type { Result } from './import-people.ts';
import type { ImportState } from './use-import.ts';

const shownFailures = 10;

interface ImportProgressProps {
  state: ImportState;
  source: Source;
  stop: () => void;
  goOn: () => void;
  /** Back to what was typed or dropped, where the import did not come to its end. */
  back: () => void;
  addMore: () => void;
}

/** How far an import is, and what became of everybody. */
export function ImportProgress({ state, source, stop, goOn, back, addMore }: ImportProgressProps) {
  const t = useTexts('add');
  const { slug } = useSite();
  const { import: whole, results, running, isOver, error } = state;
  const { total } = whole;
  const failed = results
    .filter(({ status }) => status === 'error')
    .sort((one, other) => one.person.line - other.person.line);
  const count = (status: Result['status']) => results.filter((result) => result.status === status).length;
  const [unchanged, joined] = [count('unchanged'), count('joined')];
  return (
    <Stack>
      <Progress value={(results.length / total) * 100} aria-label={t('progress')} transitionDuration={150} />
      <Text role="status">
        {t('soFar', { done: results.length, total })} {t('created', { count: count('created') })}{' '}
        {joined > 0 && t('joined', { count: joined })} {unchanged > 0 && t('unchanged', { count: unchanged })}
      </Text>
      {error !== null && <ErrorNote error={error} />}
      {failed.length > 0 && <Failures failed={failed} source={source} />}
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

/** Those who could not be added, and a file of them that can be corrected and dropped in again. */
function Failures({ failed, source }: { failed: readonly Result[]; source: Source }) {
  const t = useTexts('add');
  const reasonText = useReasonText();
  const messageOf = ({ reason }: Result) => (reason ? reasonText(reason) : '');
  const more = failed.length - shownFailures;
  const save = () => {
    const rows = failed.map((result) => ({
      person: result.person,
      code: result.reason?.code ?? '',
      message: messageOf(result),
    }));
    const { file, name } = failedFile(source, rows);
    saveFile(file, name);
  };
  return (
    <Alert color="red" variant="light" title={t('failed', { count: failed.length })}>
      <List size="sm" mb="sm">
        {failed.slice(0, shownFailures).map((result) => {
          const { line, email } = result.person;
          const name = email === '' ? 'failedRowUnnamed' : 'failedRow';
          return (
            <List.Item key={`${line} ${email}`} style={{ overflowWrap: 'anywhere' }}>
              {t(name, { line, email, reason: messageOf(result) })}
            </List.Item>
          );
        })}
        {more > 0 && <List.Item>{t('moreFailed', { count: more })}</List.Item>}
      </List>
      <Button size="xs" variant="default" leftSection={<IconDownload size={14} aria-hidden />} onClick={save}>
        {t('saveFailed')}
      </Button>
    </Alert>
  );
}
