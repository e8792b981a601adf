import type { SourceRun } from '@gatehouse/client';

/** Why a run failed: its own error, or that of the first collection that failed. */
export function messageOf({ error, collections }: SourceRun): string | undefined {
  return (error ?? collections.find(({ error }) => error !== null)?.error)?.message;
}
