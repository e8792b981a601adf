import type { EventFilter } from '@gatehouse/client';
import { IconDownload, IconX } from '../../components/icons/icons.ts';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { saveFile } from '../../format/csv.ts';
import { useWatchedTask } from '../../hooks/use-watched-task.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useGatehouse, useSite } from '../../session/site.ts';
import { eventsToCsv } from './events-csv.ts';

/** Exports all matching events. Pressing it again cancels the export. */
export function ExportButton({ filter }: { filter: EventFilter }) {
  const t = useTexts('events');
  const gatehouse = useGatehouse();
  const site = useSite();
  const { watch, progress: count, setProgress, cancel } = useWatchedTask<number>();

  async function save(): Promise<void> {
    setProgress(0);
    const file = await watch((signal) => eventsToCsv(gatehouse, filter, signal, setProgress));
    if (file) saveFile(file, `${site.slug}-events.csv`);
  }

  if (count === null) {
    return <ActionButton icon={IconDownload} label={t('csv')} onClick={save} />;
  }
  return <ActionButton icon={IconX} label={t('csvProgress', { count })} onClick={cancel} />;
}
