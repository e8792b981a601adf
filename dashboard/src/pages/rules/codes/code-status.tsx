import type { PageCode } from '@gatehouse/client';
import { type State, StateText } from '../../../components/state/state-text.tsx';
import { useTexts } from '../../../languages/texts.tsx';

const states: Readonly<Record<string, State>> = {
  active: 'good',
  paused: 'attention',
};

/** Whether a code can be entered. */
export function CodeStatus({ status }: Pick<PageCode, 'status'>) {
  const t = useTexts('codes');
  const [name, help] = [`status.${status}`, `statusHelp.${status}`];
  return (
    <StateText state={states[status] ?? 'neutral'} title={t.has(help) ? t(help) : undefined}>
      {t.has(name) ? t(name) : status}
    </StateText>
  );
}
