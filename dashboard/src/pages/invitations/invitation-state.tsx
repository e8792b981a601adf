import type { Invitation } from '@gatehouse/client';
import { type State, StateText } from '../../components/state/state-text.tsx';
import { useTexts } from '../../languages/texts.tsx';

const states: Readonly<Record<Invitation['status'], State>> = {
  active: 'good',
  used_up: 'neutral',
  expired: 'neutral',
  revoked: 'neutral',
};

/** The status of an invitation. */
export function InvitationState({ status }: { status: Invitation['status'] }) {
  const t = useTexts('invitations');
  const name = `state.${status}`;
  return <StateText state={states[status] ?? 'neutral'}>{t.has(name) ? t(name) : status}</StateText>;
}
