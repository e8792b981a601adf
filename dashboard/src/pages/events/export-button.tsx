import type { EventFilter } from '@gatehouse/client';
import { useEffect, useRef, useState } from 'react';
import { showFailure } from '../../components/feedback/error-notification.tsx';
import { IconDownload, IconX } from '../../components/icons/icons.ts';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { saveFile } from '../../format/csv.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useGatehouse, useSite } from '../../session/site.ts';
import { eventsToCsv } from './events-csv.ts';

/** Exports all matching events. Pressing it again cancels the export. */
export function ExportButton({ filter }: { filter: EventFilter }) {
  const t = useTexts('events');
  const gatehouse = useGatehouse();
  const site = useSite();
  const [count, setCount] = useState<number | null>(null);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  async function save(): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    setCount(0);
    try {
      const file = await eventsToCsv(gatehouse, filter, controller.signal, setCount);
      saveFile(file, `${site.slug}-events.csv`);
    } catch (error) {
      if (!controller.signal.aborted) showFailure(error);
    } finally {
      setCount(null);
    }
  }

  if (count === null) {
    return <ActionButton icon={IconDownload} label={t('csv')} onClick={save} />;
  }
  return (
    <ActionButton icon={IconX} label={t('csvProgress', { count })} onClick={() => running.current?.abort()} />
  );
}
