import type { BulkAction } from '@gatehouse/client';
import { loginLinkLifetimeMinutes } from '@gatehouse/contract/limits';
import { endText } from '../../../format/ends.ts';
import type { Question } from '../../../hooks/use-confirm.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { useEmailWaits } from '../../../queries/overview.ts';
import { useSite } from '../../../session/site.ts';
import type { BulkDone } from './bulk-action.ts';
import type { EndsPlan } from './ends/plan.ts';

/** Actions on more members than this ask for confirmation. */
const maxUnconfirmed = 25;

/** The report of a bulk action. */
export interface BulkReport {
  /** The text that reports the result. */
  done: (done: BulkDone) => string;
  /** Undoes it for the changed members. Leave it out if it cannot be undone. */
  undo?: BulkAction;
}

/** A bulk action with its texts. */
export interface BulkJob extends BulkReport {
  action: BulkAction;
  /** The question before it, with the exact number. */
  question: (count: number) => Question;
  /** Whether it also asks for a few members, because it ends sessions or cannot be undone. */
  alwaysConfirms?: boolean;
}

export function needsConfirmation({ alwaysConfirms = false }: BulkJob, count: number): boolean {
  return alwaysConfirms || count > maxUnconfirmed;
}

const paid = { type: 'set_paid', paid: true } as const;
const unpaid = { type: 'set_paid', paid: false } as const;

type SimpleJob = 'block' | 'unblock' | 'markPaid' | 'markUnpaid' | 'delete';

/** All bulk actions. */
export function useBulkJobs() {
  const t = useTexts('members');
  const emailQueued = useEmailWaits();
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
  const linkText = t('sendLink.text', { minutes: loginLinkLifetimeMinutes });
  return {
    // Undo does not restore the sessions that a block ends.
    block: { ...job('block', { type: 'block' }, { type: 'unblock' }), alwaysConfirms: true },
    unblock: job('unblock', { type: 'unblock' }, { type: 'block' }),
    markPaid: job('markPaid', paid, unpaid),
    markUnpaid: job('markUnpaid', unpaid, paid),
    sendLink: {
      action: { type: 'send_login_link' },
      alwaysConfirms: true,
      done: ({ count }) => t(emailQueued ? 'sendLink.waits' : 'sendLink.done', { count }),
      question: (count) => ({
        title: t('sendLink.question', { count }),
        children: emailQueued ? `${linkText} ${t('sendLink.noServer')}` : linkText,
        confirm: t('sendLink.confirm', { count }),
        danger: false,
      }),
    } satisfies BulkJob as BulkJob,
    delete: { ...job('delete', { type: 'delete' }), alwaysConfirms: true },
    add: useAddJob(),
    // Confirmation instead of undo, because the last days of the memberships would be lost.
    remove: ({ id, name }: { id: string; name: string }): BulkJob => ({
      action: { type: 'remove_from_group', groupId: id },
      alwaysConfirms: true,
      done: ({ count }) => t('removeFromGroup.done', { count, group: name }),
      question: (count) => ({
        title: t('removeFromGroup.question', { count, group: name }),
        children: t('removeFromGroup.text'),
        confirm: t('remove'),
      }),
    }),
  };
}

/** Adds members to a group. With an end, members who are already in the group get that end as well. */
function useAddJob() {
  const t = useTexts('members');
  const { timeZone } = useSite();
  return ({ id, name: group }: { id: string; name: string }, expiresAt: string | null): BulkJob => {
    const day = expiresAt === null ? '' : endText(expiresAt, timeZone);
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

/** The report of changed ends of memberships in a group, which can be undone. */
export function useEndsReport() {
  const t = useTexts('members');
  const { timeZone } = useSite();
  return ({ groupId, first, last }: EndsPlan): BulkReport => ({
    undo: { type: 'remove_from_group', groupId },
    done: ({ changed: count }) => {
      if (last === null) return t('changeEnds.done.none', { count });
      const isOne = first === last;
      return t(isOne ? 'changeEnds.done' : 'changeEnds.done.each', { count, day: endText(last, timeZone) });
    },
  });
}
