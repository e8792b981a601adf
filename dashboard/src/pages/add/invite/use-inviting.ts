import type { BulkInvitationResultItem } from '@gatehouse/client';
import { maxBulkMembers } from '@gatehouse/contract/limits';
import { useEffect, useRef, useState } from 'react';
import { useSiteApi } from '../../../queries/site-api.ts';

export interface InvitingState {
  readonly total: number;
  readonly results: readonly BulkInvitationResultItem[];
  readonly running: boolean;
  /** Why it stopped early. */
  readonly error: unknown;
}

/** A run that can be continued where it stopped: a batch that is sent twice takes effect once. */
interface Run {
  readonly id: string;
  readonly emails: readonly string[];
  readonly language: string | null;
  results: readonly BulkInvitationResultItem[];
}

/** Invites many email addresses in sequential batches. Stops on request, or when a batch cannot be sent. */
export function useInviting() {
  const { gatehouse } = useSiteApi();
  const [state, show] = useState<InvitingState | null>(null);
  const current = useRef<Run>(undefined);
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);

  async function send(): Promise<void> {
    const run = current.current!;
    const { id, emails, language } = run;
    const running = new AbortController();
    const { signal } = running;
    controller.current = running;
    const setState = (running: boolean, error: unknown = null) =>
      show({ total: emails.length, results: run.results, running, error });
    setState(true);
    try {
      while (run.results.length < emails.length && !signal.aborted) {
        const at = run.results.length;
        const { data } = await gatehouse.invitations.bulkCreate(
          { emails: emails.slice(at, at + maxBulkMembers), language },
          { signal, idempotencyKey: `invite-${id}-${at}` },
        );
        run.results = [...run.results, ...data];
        setState(true);
      }
      setState(false);
    } catch (error) {
      setState(false, signal.aborted ? null : error);
    }
  }

  function start(emails: readonly string[], language: string | null): void {
    current.current = { id: crypto.randomUUID(), emails, language, results: [] };
    void send();
  }

  return {
    state,
    start,
    resume: () => void send(),
    /** Tries those who could not be invited again. */
    again: () => {
      const { results, language } = current.current!;
      start(
        failedOf(results).map(({ email }) => email),
        language,
      );
    },
    stop: () => controller.current?.abort(),
  };
}

/** The addresses that were not invited, each with the reason. */
export function failedOf(results: readonly BulkInvitationResultItem[]) {
  return results.filter((item) => item.status !== 'created');
}
