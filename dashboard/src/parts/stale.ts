import { GatehouseError } from '@gatehouse/client';
import { useTexts } from '../languages/texts.tsx';
import { useConfirm } from './confirm.tsx';

/** Whether a change was refused because the thing is no longer as it was when it was read. */
export function isStale(error: unknown): boolean {
  return error instanceof GatehouseError && error.code === 'precondition_failed';
}

/** Asks whether to go on with what somebody else has saved meanwhile, without the changes that were made here. */
export function useStaleQuestion(): (title: string) => Promise<boolean> {
  const t = useTexts('parts');
  const confirm = useConfirm();
  return (title) => confirm({ title, children: t('staleText'), confirm: t('staleReload') });
}
