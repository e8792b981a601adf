import { Button, Group, Paper, Stack, Text, Transition } from '@mantine/core';
import { useTexts } from '../languages/texts.tsx';
import { ErrorNote } from './error-note.tsx';
import classes from './save-bar.module.css';
import { useUnsavedWarning } from './unsaved.ts';

interface SaveBarProps {
  /** Whether there is something to save: the bar is shown, and leaving the page asks first. */
  unsaved: boolean;
  saving: boolean;
  /** Why the last try failed; what was typed stays. */
  error?: unknown;
  save: () => void;
  discard: () => void;
}

/** At the foot of a page whose changes are saved together. */
export function SaveBar({ unsaved, saving, error, save, discard }: SaveBarProps) {
  const t = useTexts('parts');
  useUnsavedWarning(unsaved);
  return (
    <Transition mounted={unsaved} transition="slide-up">
      {(style) => (
        <Paper
          className={classes.bar}
          style={style}
          withBorder
          shadow="md"
          p="sm"
          role="region"
          aria-label={t('unsaved')}
        >
          <Stack gap="sm">
            {error != null && <ErrorNote error={error} />}
            <Group justify="space-between" gap="xs">
              <Text fw={500}>{t('unsaved')}</Text>
              <Group gap="xs">
                <Button variant="default" onClick={discard} disabled={saving}>
                  {t('discard')}
                </Button>
                <Button onClick={save} loading={saving}>
                  {t('save')}
                </Button>
              </Group>
            </Group>
          </Stack>
        </Paper>
      )}
    </Transition>
  );
}
