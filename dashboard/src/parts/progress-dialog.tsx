import { Button, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useTexts } from '../languages/texts.tsx';

interface ProgressDialogProps {
  title: string;
  /** How far it is. */
  text: string;
  /** 0 to 1; null while nobody knows how much there is. */
  share: number | null;
  cancel: () => void;
}

/** While something long is done: how far it is, and the way to stop it. */
export function ProgressDialog({ title, text, share, cancel }: ProgressDialogProps) {
  const t = useTexts('parts');
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, []);
  return (
    <Modal opened onClose={cancel} title={title} closeOnClickOutside={false} withCloseButton={false}>
      <Stack>
        <Progress
          value={share === null ? 100 : share * 100}
          animated={share === null}
          aria-label={title}
          transitionDuration={150}
        />
        <Group justify="space-between">
          <Text role="status">{text}</Text>
          <Button variant="default" onClick={cancel} data-autofocus>
            {t('stop')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
