import type { Overview } from '@gatehouse/client';

/** By how much each number has changed since the beginning of the first day. */
export interface Changes {
  total: number;
  paid: number;
  verified: number;
  blocked: number;
  /** In comparison with as many days before; null if it is no longer known how many logins there were. */
  logins: number | null;
}

export function changesOf({ members, before, days, loginsBefore }: Overview): Changes {
  return {
    total: members.total - before.total,
    paid: members.paid - before.paid,
    verified: members.verified - before.verified,
    blocked: members.blocked - before.blocked,
    logins: loginsBefore === null ? null : loginsOf(days) - loginsBefore,
  };
}

export function loginsOf(days: Overview['days']): number {
  return days.reduce((sum, { logins }) => sum + logins, 0);
}

/** A change with its sign: "+18", "−3". */
export function changeText(change: number, language: string): string {
  const format = new Intl.NumberFormat(language, { signDisplay: 'exceptZero' });
  return format.format(change).replace('-', '\u2212');
}
