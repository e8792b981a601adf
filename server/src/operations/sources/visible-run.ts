import type { Permission, SourceRun } from '@gatehouse/contract';
import { grants } from '@gatehouse/contract/permissions';

/** A run as the caller may see it: without the permission to read members it names no one. */
export function visibleRun(run: SourceRun, granted: readonly Permission[]): SourceRun {
  if (grants(granted, 'members:read')) return run;
  const collections = run.collections.map((each) => ({
    ...each,
    skippedPeople: [],
    sample: { added: [], removed: [] },
  }));
  return { ...run, collections };
}
