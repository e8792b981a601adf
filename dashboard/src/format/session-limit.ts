import { maxSessionLimit } from '@gatehouse/contract/limits';

/** Whether a number field contains a valid limit of sessions. */
export function isSessionLimit(entered: number | string): boolean {
  const count = Number(entered);
  return entered !== '' && Number.isInteger(count) && count >= 1 && count <= maxSessionLimit;
}
