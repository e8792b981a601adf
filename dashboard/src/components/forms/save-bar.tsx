import { Button, Group, Paper, Stack, Text, Transition } from '@mantine/core';
import { useFocusReturn, useMergedRef } from '@mantine/hooks';
import { useLayoutEffect, useRef } from 'react';
import { passFocusOn } from '../../hooks/focus.ts';
import type { FormFailure } from '../../hooks/use-form-errors.ts';
import { useUnsavedWarning } from '../../hooks/use-unsaved-warning.ts';
import { useTexts } from '../../languages/texts.tsx';
import { FormErrorNote } from '../feedback/error-note.tsx';
import { ActionButton } from '../layout/action-button.tsx';
import classes from './save-bar.module.css';

interface SaveBarProps {
  /** Whether there are unsaved changes: the bar is shown, and leaving the page asks for confirmation. */
  unsaved: boolean;
  saving: boolean;
  /** Why the last attempt failed. The input stays. */
  failure: FormFailure | null;
  /** Above the button if fields must be corrected, for a form of which a part may have been saved. */
  notSaved?: string;
  save: () => void;
  discard: () => void;
}

/** The save bar at the bottom of a page whose changes are saved together. */
export function SaveBar({ unsaved, saving, failure, notSaved, save, discard }: SaveBarProps) {
  const t = useTexts('common');
  useUnsavedWarning(unsaved);
  const bar = useRef<HTMLDivElement>(null);
  const ref = useMergedRef(bar, passFocusOn);
  const returnFocus = useFocusReturn({ opened: unsaved, shouldReturnFocus: false });
  // Returns the focus to the field that was changed first, once everything is saved or discarded.
  useLayoutEffect(() => {
    const focused = document.activeElement;
    if (!unsaved && (focused === document.body || bar.current?.contains(focused))) returnFocus();
  }, [unsaved]);
  return (
    <Transition mounted={unsaved} transition="slide-up">
      {(style) => (
        <Paper
          ref={ref}
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
                    {notSaved ?? t('notSaved')}
                  </Text>
                  <FormErrorNote failure={failure} />
                </div>
              ) : (
                <Text fw={500}>{t('unsaved')}</Text>
              )}
              <Group gap="xs">
                <ActionButton label={t('discard')} onClick={discard} disabled={saving} />
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
