import type { Email } from '@gatehouse/client';
import { type State, StateText } from '../../components/state/state-text.tsx';
import { useTexts } from '../../languages/texts.tsx';

const states: Readonly<Record<Email['status'], State>> = {
  waiting: 'attention',
  sent: 'good',
  not_sent: 'neutral',
  failed: 'bad',
};

/** The status of an email; a longer explanation is shown on hover. */
export function EmailState({ state }: { state: Email['status'] }) {
  const t = useTexts('emails');
  return (
    <StateText state={states[state]} title={t(`help.${state}`)}>
      {t(`state.${state}`)}
    </StateText>
  );
}
