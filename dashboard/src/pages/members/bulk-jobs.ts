import type { BulkAction } from '@gatehouse/client';
import { language } from '../../languages/language.ts';
import { useTexts } from '../../languages/texts.tsx';
import type { Question } from '../../parts/confirm.tsx';
import { useMailWaits } from '../../parts/overview.ts';
import type { BulkDone } from './bulk.ts';

/** What reaches more members than this asks first. */
const maxUnasked = 25;

/** Something that can be done to many members, with the words for it. */
export interface BulkJob {
  action: BulkAction;
  /** Asked before, with the exact number. */
  question: (count: number) => Question;
  /** Whether it asks for a few too, as it ends sessions or cannot be undone. */
  asksAlways?: boolean;
  /** Says what has happened. */
  done: (done: BulkDone) => string;
  /** Takes it back from those to whom it was done; leave it out for what cannot be taken back. */
  undo?: BulkAction;
}

export function mustAsk({ asksAlways = false }: BulkJob, count: number): boolean {
  return asksAlways || count > maxUnasked;
}

const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
const paid = { type: 'set_paid', paid: true } as const;
const unpaid = { type: 'set_paid', paid: false } as const;

type SimpleJob = 'block' | 'unblock' | 'markPaid' | 'markUnpaid' | 'delete';

/** Each thing that can be done. */
export function useBulkJobs() {
  const t = useTexts('members');
  const mailWaits = useMailWaits();
  const job = (name: SimpleJob, action: BulkAction, undo?: BulkAction): BulkJob => ({
    action,
    ...(undo && { undo }),
    done: ({ count }) => t(`${name}.done`, { count }),
    question: (count) => ({
      title: t(`${name}.question`, { count }),
      children: t(`${name}.text`, { count }),
      confirm: t(`${name}.confirm`, { count }),
      danger: name === 'block' || name === 'delete',
    }),
  });
  return {
    // The sessions that a block ends do not come back with its undo.
    block: { ...job('block', { type: 'block' }, { type: 'unblock' }), asksAlways: true },
    unblock: job('unblock', { type: 'unblock' }, { type: 'block' }),
    markPaid: job('markPaid', paid, unpaid),
    markUnpaid: job('markUnpaid', unpaid, paid),
    sendLink: {
      action: { type: 'send_login_link' },
      asksAlways: true,
      done: ({ count }) => t(mailWaits ? 'sendLink.waits' : 'sendLink.done', { count }),
      question: (count) => ({
        title: t('sendLink.question', { count }),
        children: mailWaits ? `${t('sendLink.text')} ${t('sendLink.noServer')}` : t('sendLink.text'),
        confirm: t('sendLink.confirm', { count }),
        danger: false,
      }),
    } satisfies BulkJob as BulkJob,
    delete: { ...job('delete', { type: 'delete' }), asksAlways: true },
    add: useAddJob(),
    // Asked about rather than undone: the days on which memberships end would be lost.
    remove: ({ id, name }: { id: string; name: string }): BulkJob => ({
      action: { type: 'remove_from_group', groupId: id },
      asksAlways: true,
      done: ({ count }) => t('removeFromGroup.done', { count, group: name }),
      question: (count) => ({
        title: t('removeFromGroup.question', { count, group: name }),
        children: t('removeFromGroup.text'),
        confirm: t('remove'),
      }),
    }),
  };
}

/** Adds to a group; with an end, those who are in it already get that end as well. */
function useAddJob() {
  const t = useTexts('members');
  return ({ id, name: group }: { id: string; name: string }, expiresAt: string | null): BulkJob => {
    const day = expiresAt === null ? '' : days.format(new Date(expiresAt));
    return {
      action: { type: 'add_to_group', groupId: id, ...(expiresAt && { expiresAt }) },
      undo: { type: 'remove_from_group', groupId: id },
      done: ({ count, changed }) => {
        const added = t('addToGroup.done', { count, group });
        if (changed === 0) return added;
        const ends = t('addToGroup.changed', { count: changed, group, day });
        return count === 0 ? ends : `${added}. ${ends}`;
      },
      question: (count) => ({
        title: t('addToGroup.question', { count, group }),
        children: t(expiresAt === null ? 'addToGroup.text' : 'addToGroup.textUntil', { day }),
        confirm: t('addToGroup.confirm', { count }),
        danger: false,
      }),
    };
  };
}
