import { Group, Progress, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import { ActionButton } from '../layout/action-button.tsx';
import { Dialog } from '../layout/dialog.tsx';

export interface TaskProgress {
  title: string;
  /** The progress as text. */
  text: string;
  /** 0 to 1; null while the total is unknown. */
  share: number | null;
}

interface ProgressDialogProps {
  /** Null while nothing is running. */
  progress: TaskProgress | null;
  cancel: () => void;
}

/** Shows the progress of a long task, with a button to stop it. */
export function ProgressDialog({ progress, cancel }: ProgressDialogProps) {
  return (
    <Dialog
      opened={progress !== null}
      onClose={cancel}
      title={progress?.title}
      closeOnClickOutside={false}
      withCloseButton={false}
    >
      {progress && <Content {...progress} cancel={cancel} />}
    </Dialog>
  );
}

function Content({ title, text, share, cancel }: TaskProgress & { cancel: () => void }) {
  const t = useTexts('common');
  useEffect(() => {
    const warnBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warnBeforeLeaving);
    return () => window.removeEventListener('beforeunload', warnBeforeLeaving);
  }, []);
  return (
    <Stack>
      <Progress
        value={share === null ? 100 : share * 100}
        animated={share === null}
        aria-label={title}
        transitionDuration={150}
      />
      <Group justify="space-between">
        <Text role="status">{text}</Text>
        <ActionButton label={t('stop')} onClick={cancel} data-autofocus />
      </Group>
    </Stack>
  );
}
