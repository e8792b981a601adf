import type { Source, SourceRun } from '@gatehouse/client';
import { useTexts } from '../../languages/texts.tsx';
import { lastSync, nextSync } from '../../queries/sources.ts';
import { Hint } from '../layout/hint.tsx';
import { TimeText } from '../time-text.tsx';

/** When the source was synchronized last, and when the next synchronization begins. */
export function LastRunText({ source, runs }: { source: Source; runs: readonly SourceRun[] }) {
  const t = useTexts('sources');
  const last = lastSync(runs);
  const next = nextSync(runs);
  return (
    <Hint>
      {last
        ? t.rich('lastRun', { time: <TimeText at={last.endedAt!} /> })
        : t(source.type === 'program' ? 'noList' : 'noRun')}
      {next && (
        <>
          {' · '}
          {t.rich('nextRun', { time: <TimeText at={next} /> })}
        </>
      )}
    </Hint>
  );
}
