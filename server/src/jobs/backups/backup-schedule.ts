import { millisecondsPerDay, type Timestamp } from '../../base/clock.ts';

/** When backups are due: every day at a time in UTC, or at an interval that is counted from midnight in UTC. */
export interface BackupSchedule {
  readonly everyMilliseconds: number;
  /** Of the first backup after midnight. */
  readonly offsetMilliseconds: number;
}

/** Which backups are kept: so many of the newest, or those of so many days. The newest one is always kept. */
export interface BackupRetention {
  readonly count?: number;
  readonly days?: number;
}

const minuteMilliseconds = 60_000;
const unitMilliseconds: Readonly<Record<string, number>> = {
  m: minuteMilliseconds,
  h: 60 * minuteMilliseconds,
  d: millisecondsPerDay,
};
const minEveryMilliseconds = 5 * minuteMilliseconds;
const maxEveryMilliseconds = 31 * millisecondsPerDay;

/** Reads a time such as `03:00`, or an interval from five minutes to 31 days such as `6h`. */
export function parseBackupSchedule(text: string): BackupSchedule | undefined {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hours !== undefined) {
    const offsetMilliseconds = (Number(hours) * 60 + Number(minutes)) * minuteMilliseconds;
    return { everyMilliseconds: millisecondsPerDay, offsetMilliseconds };
  }
  const [, digits, unit = ''] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  const everyMilliseconds = Number(digits) * unitMilliseconds[unit]!;
  if (!(everyMilliseconds >= minEveryMilliseconds && everyMilliseconds <= maxEveryMilliseconds))
    return undefined;
  return { everyMilliseconds, offsetMilliseconds: 0 };
}

/** Reads a number of backups such as `14`, or of days such as `30d`. */
export function parseBackupRetention(text: string): BackupRetention | undefined {
  const [, digits, unit] = /^([1-9]\d{0,3})(d?)$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  return unit === 'd' ? { days: Number(digits) } : { count: Number(digits) };
}

/** The last time until now at which a backup was due. */
export function lastDueTime(schedule: BackupSchedule, now: Timestamp): Timestamp {
  return new Date(startOfPeriod(schedule, now)).toISOString();
}

/** The next time at which a backup is due. */
export function nextDueTime(schedule: BackupSchedule, now: Timestamp): Timestamp {
  return new Date(startOfPeriod(schedule, now) + schedule.everyMilliseconds).toISOString();
}

function startOfPeriod({ everyMilliseconds, offsetMilliseconds }: BackupSchedule, now: Timestamp): number {
  const periods = Math.floor((Date.parse(now) - offsetMilliseconds) / everyMilliseconds);
  return periods * everyMilliseconds + offsetMilliseconds;
}
