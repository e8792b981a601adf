import type { ListMembers } from '@gatehouse/client';
import { Suspense, useState } from 'react';
import { useTexts } from '../../../languages/texts.tsx';
import { IconDownload } from '../../icons/icons.ts';
import { latePart } from '../../late-part.ts';
import { ActionButton } from '../../layout/action-button.tsx';

const WholeExport = latePart(async () => (await import('./whole-export.tsx')).WholeExport);

/** Exports all members that match. */
export function ExportButton({ filter }: { filter: ListMembers }) {
  const t = useTexts('members');
  const [times, setTimes] = useState(0);
  return (
    <>
      <ActionButton icon={IconDownload} label={t('exportAll')} onClick={() => setTimes(times + 1)} />
      {times > 0 && (
        <Suspense>
          <WholeExport key={times} filter={filter} />
        </Suspense>
      )}
    </>
  );
}
