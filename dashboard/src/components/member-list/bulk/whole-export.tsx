import type { ListMembers } from '@gatehouse/client';
import { useEffect } from 'react';
import { everybody } from '../selection.ts';
import { useBulk } from './use-bulk.tsx';

/** Exports all members that match when it appears, and shows the progress. */
export function WholeExport({ filter }: { filter: ListMembers }) {
  const { exportCsv, dialog } = useBulk(everybody, filter);
  useEffect(() => void exportCsv(), []);
  return dialog;
}
