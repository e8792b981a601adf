import { useTexts } from '../languages/texts.tsx';
import { useConfirm } from './confirm.tsx';

/** Asks whether to go on with what somebody else has saved meanwhile, without the changes that were made here. */
export function useStaleQuestion(): (title: string) => Promise<boolean> {
  const t = useTexts('parts');
  const confirm = useConfirm();
  return (title) => confirm({ title, children: t('staleText'), confirm: t('staleReload') });
}
