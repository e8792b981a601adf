import { Button, Group, Paper, Stack, Text, Transition } from '@mantine/core';
import { useTexts } from '../languages/texts.tsx';
import { FormErrorNote } from './error-note.tsx';
import type { FormFailure } from './form-errors.ts';
import classes from './save-bar.module.css';
import { useUnsavedWarning } from './unsaved.ts';

interface SaveBarProps {
  /** Whether there is something to save: the bar is shown, and leaving the page asks first. */
  unsaved: boolean;
  saving: boolean;
  /** Why the last try failed; what was typed stays. */
  failure: FormFailure | null;
  save: () => void;
  discard: () => void;
}

/** At the foot of a page whose changes are saved together. */
export function SaveBar({ unsaved, saving, failure, save, discard }: SaveBarProps) {
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
            {!failure?.isAtFields && <FormErrorNote failure={failure} />}
            <Group justify="space-between" gap="xs">
              {failure?.isAtFields ? (
                <div>
                  <Text fw={500} c="var(--mantine-color-error)" role="alert">
                    {t('notSaved')}
                  </Text>
                  <FormErrorNote failure={failure} />
                </div>
              ) : (
                <Text fw={500}>{t('unsaved')}</Text>
              )}
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
